// A link to a section of the content, or to a field of it.
import type { ReactNode } from 'react';
import { navigate } from 'wouter/use-browser-location';

type Props = {
  section: string;
  /** The place of a field, as a JSON pointer. */
  place?: string;
  current?: boolean;
  children: ReactNode;
};

export function SectionLink({ section, place, current, children }: Props) {
  const href = `/admin/site?${new URLSearchParams({ section, ...(place ? { place } : {}) })}`;
  return (
    <a
      href={href}
      aria-current={current ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(href);
      }}
    >
      {children}
    </a>
  );
}
