// A button that opens a small box over the page, without moving it. Escape, a link and leaving it
// close it.
import type { FocusEvent, KeyboardEvent, MouseEvent, ReactNode } from 'react';

type Props = { summary: ReactNode; className?: string; children: ReactNode };

export function Popover({ summary, className, children }: Props) {
  return (
    <details
      className={['popover', className].filter(Boolean).join(' ')}
      onKeyDown={closeOnEscape}
      onBlur={closeWhenLeft}
      onClick={closeOnLink}
      onToggle={keepInWindow}
    >
      <summary>{summary}</summary>
      <div className="popover-box">{children}</div>
    </details>
  );
}

function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>) {
  const popover = event.currentTarget;
  if (event.key !== 'Escape' || !popover.open) return;
  popover.open = false;
  popover.querySelector('summary')?.focus();
  event.preventDefault();
}

/** A link inside leads to the page under the box. */
function closeOnLink(event: MouseEvent<HTMLDetailsElement>) {
  if ((event.target as Element).closest('a')) event.currentTarget.open = false;
}

function closeWhenLeft(event: FocusEvent<HTMLDetailsElement>) {
  const popover = event.currentTarget;
  if (event.relatedTarget && !popover.contains(event.relatedTarget as Node)) popover.open = false;
}

/** Pixels between a box and the edge of the window. */
const edge = 12;

/** A box that would pass the right edge of the window ends where its button ends. */
function keepInWindow({ currentTarget: popover }: { currentTarget: HTMLDetailsElement }) {
  const [button, box] = popover.children;
  if (!(button && box instanceof HTMLElement)) return;
  box.style.marginLeft = '';
  const { left, right } = box.getBoundingClientRect();
  if (right <= document.documentElement.clientWidth) return;
  const shift = button.getBoundingClientRect().right - right;
  box.style.marginLeft = `${Math.max(shift, edge - left)}px`;
}
