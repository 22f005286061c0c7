// The title of the tab: the alarm in its place, or a count before it, for a dashboard that is open
// behind other windows.
import { useEffect, useRef } from 'react';

/** `alarm`: empty without one. */
export function useTitle(alarm: string, count: number) {
  /** The title of the page, and what was written in its place. */
  const plain = useRef('');
  const written = useRef('');
  useEffect(() => {
    const element = document.querySelector('title');
    if (!element) return;
    const write = () => {
      if (document.title !== written.current) plain.current = document.title;
      const next = alarm || (count > 0 ? `(${count}) ${plain.current}` : plain.current);
      written.current = next;
      if (document.title !== next) document.title = next;
    };
    write();
    // Going to another page writes its title.
    const observer = new MutationObserver(write);
    observer.observe(element, { childList: true });
    return () => observer.disconnect();
  }, [alarm, count]);
  useEffect(
    () => () => {
      if (document.title === written.current) document.title = plain.current;
    },
    [],
  );
}
