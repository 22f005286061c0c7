// A button, and a link that looks like one.
import type { ComponentProps } from 'react';

type Look = { look?: 'signal' | 'line' | 'ink' | 'quiet'; wide?: boolean };

/**
 * `signal` (amber) for the primary action; `line` for a secondary one; `ink` on tinted backgrounds;
 * `quiet` otherwise.
 */
function classes({ look = 'signal', wide }: Look, more?: unknown): string {
  return ['button', `button-${look}`, wide ? 'button-wide' : '', more].filter(Boolean).join(' ');
}

export function ButtonLink({ look, wide, className, ...rest }: Look & ComponentProps<'a'>) {
  return <a className={classes({ look, wide }, className)} {...rest} />;
}

export function Button({ look, wide, className, type = 'button', ...rest }: Look & ComponentProps<'button'>) {
  return <button type={type} className={classes({ look, wide }, className)} {...rest} />;
}
