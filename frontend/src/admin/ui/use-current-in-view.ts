// Scrolls a row of links to the current one: on a phone it may lie beyond the edge.

import { useEffect, useRef, useState } from 'react';

/** The ref of the row, scrolled when another link is current, or when links or counts come. */
export function useCurrentInView<T extends HTMLElement = HTMLElement>() {
  const row = useRef<T>(null);
  const shown = useRef('');
  useEffect(() => {
    const links = row.current;
    const current = links?.querySelector('[aria-current]');
    if (!links || !current) return;
    const hasCounts = /\d/.test(links.textContent ?? '');
    const now = `${current.getAttribute('href')} ${links.childElementCount} ${hasCounts}`;
    if (now === shown.current) return;
    shown.current = now;
    const [outer, inner] = [links.getBoundingClientRect(), current.getBoundingClientRect()];
    links.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  });
  return row;
}

const wideEnough = '(min-width: 75em)';

/** Whether the window has room for a form and its preview beside each other. */
export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(wideEnough).matches);
  useEffect(() => {
    const query = matchMedia(wideEnough);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return wide;
}
