// The heading of a view. When a view takes another's place, its heading takes the focus, so that keyboards and screen
// readers go on from there; the first view of a document leaves the focus alone.
import { type ReactNode, useEffect, useRef } from 'react';

let views = 0;

export function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    views += 1;
    if (views > 1) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
