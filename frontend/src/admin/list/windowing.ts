// Renders only the rows near the window: the rest of a long list is empty space of their height.
// Rows may differ in height: a row's is measured once it was rendered, and estimated by the average
// before. Written here, in 120 lines, because it also renders the whole list for printing and keeps
// the focused row.
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Shorter lists are rendered whole. */
const wholeUpTo = 60;
/** Rows rendered above and below the window. */
const overscan = 10;
/** Pixels of scrolling that the overscan covers without another rendering. */
const slack = 150;
const firstEstimate = 48;

/**
 * The rows to render, each with the space of unrendered rows above it, and the space below the
 * last, in pixels.
 */
export type Windowed = { rows: { index: number; gap: number }[]; below: number };

/** Where each row starts, in pixels from the start of the list; one more entry for its end. */
export function startsOf(heights: readonly number[]): Float64Array {
  const starts = new Float64Array(heights.length + 1);
  for (let at = 0; at < heights.length; at += 1) starts[at + 1] = (starts[at] ?? 0) + (heights[at] ?? 0);
  return starts;
}

/**
 * The rows that touch the window (`top` to `bottom`, in pixels from the start of the list), with
 * the overscan and the rows in `keep`, such as the focused one.
 */
export function windowRows(
  starts: Float64Array,
  top: number,
  bottom: number,
  keep: readonly number[],
): Windowed {
  const count = starts.length - 1;
  const start = (index: number) => starts[index] ?? 0;
  const firstAfter = (position: number) => {
    let [from, to] = [0, count + 1];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (start(middle) > position) to = middle;
      else from = middle + 1;
    }
    return Math.min(from, count);
  };
  const from = Math.max(0, Math.min(firstAfter(top) - 1, count) - overscan);
  const to = Math.min(count, firstAfter(bottom) + overscan);
  const wanted = new Set(keep.filter((index) => index >= 0 && index < count));
  for (let index = Math.min(from, Math.max(0, count - overscan)); index < to; index += 1) wanted.add(index);
  let end = 0;
  const rows = [...wanted]
    .sort((one, other) => one - other)
    .map((index) => {
      const gap = start(index) - end;
      end = start(index + 1);
      return { index, gap };
    });
  return { rows, below: start(count) - end };
}

/** The part of the list that the browser's window shows, in pixels from the start of the list. */
type View = { top: number; bottom: number };

function viewOf(list: HTMLElement | null): View {
  const top = -(list?.getBoundingClientRect().top ?? 0);
  return { top, bottom: top + innerHeight };
}

/** Whether the page is being printed: paper has no window to scroll. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser lays the page out when the listeners have returned.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}

/**
 * The rows of a list to render now; `measure` has the rendered rows by id, `keep` the ids that must
 * be.
 */
export function useWindowing(
  ids: readonly string[],
  list: RefObject<HTMLElement | null>,
  measure: () => Iterable<[id: string, row: HTMLElement]>,
  keep: readonly (string | undefined)[],
): Windowed {
  const heights = useRef(new Map<string, number>()).current;
  const [followed, setFollowed] = useState<View>();
  const [measured, setMeasured] = useState(0);
  const printing = usePrinting();
  const windowed = ids.length > wholeUpTo && !printing;

  useLayoutEffect(() => {
    const events = ['scroll', 'resize'];
    const follow = () => {
      const next = viewOf(list.current);
      const moved = (now: View) => Math.abs(now.top - next.top) + Math.abs(now.bottom - next.bottom);
      setFollowed((now) => (now && moved(now) < slack ? now : next));
    };
    if (windowed) follow();
    for (const event of windowed ? events : []) addEventListener(event, follow, { passive: true });
    return () => events.forEach((event) => void removeEventListener(event, follow));
  }, [windowed, list]);

  const { starts, average } = useMemo(() => {
    const known = [...heights.values()];
    const average = known.reduce((all, height) => all + height, 0) / known.length || firstEstimate;
    return { starts: startsOf(windowed ? ids.map((id) => heights.get(id) ?? average) : []), average };
  }, [ids, measured, windowed, heights]);

  useLayoutEffect(() => {
    let changed = false;
    for (const [id, { offsetHeight }] of windowed ? measure() : []) {
      changed ||= Math.abs((heights.get(id) ?? average) - offsetHeight) > 1;
      heights.set(id, offsetHeight);
    }
    if (changed) setMeasured((count) => count + 1);
  });

  if (!windowed) return { rows: ids.map((_, index) => ({ index, gap: 0 })), below: 0 };
  const kept = keep.map((id) => (id === undefined ? -1 : ids.indexOf(id)));
  // Until it is followed it is read here, before the list changes: reading it costs no layout then.
  const { top, bottom } = followed ?? viewOf(list.current);
  return windowRows(starts, top, bottom, kept);
}
