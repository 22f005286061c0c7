// The heading of a view. When the view changes, its heading takes the focus, so that keyboards and
// screen readers continue there; the first view of a document leaves the focus alone.
import { type ReactNode, useLayoutEffect, useRef } from 'react';

let views = 0;

export function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // With the view itself: what is pressed right after it was drawn keeps the focus.
  useLayoutEffect(() => {
    views += 1;
    if (views > 1) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
