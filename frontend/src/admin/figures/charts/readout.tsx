// The value of a drawing under the pointer, or the one that the arrow keys have reached, in words
// below it. Marks have their place among the words in `data-at`.

import { nice, ticks } from 'd3-array';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';

type Props = {
  /** One for each mark. */
  texts: string[];
  title: string;
  children(at: number | undefined): ReactNode;
};

export function Readout({ texts, title, children }: Props) {
  const [at, setAt] = useState<number>();
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    setAt(Math.min(texts.length - 1, Math.max(0, (at ?? -1) + step)));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing whose values the arrow keys walk */}
      <div
        role="group"
        aria-label={`${title}: arrow keys read each value`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its values
        tabIndex={0}
        onKeyDown={press}
        onFocus={() => setAt((now) => now ?? 0)}
        onBlur={() => setAt(undefined)}
        onPointerOver={({ target }) => {
          const mark = (target as Element).closest<SVGElement>('[data-at]');
          if (mark) setAt(Number(mark.dataset.at));
        }}
        onPointerLeave={() => setAt(undefined)}
      >
        {children(at)}
      </div>
      <p className="chart-value" role="status">
        {at === undefined ? '' : texts[at]}
      </p>
    </>
  );
}

// The width of a drawing, so that its texts have the size of other texts on every screen.

/** A ref for the element around a drawing, and its width in pixels. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, Math.round(element.clientWidth))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

// A linear scale with whole steps. The ticks are d3-array's, which d3-scale is made of: d3-scale
// itself, with its colors and dates, would be more than half of the page's script.

type Range = readonly [number, number];

/** Maps numbers from 0 to `most` to `[start, end]`. */
export function scale(most: number, [start, end]: Range) {
  const at = (value: number) => start + (value / (most || 1)) * (end - start);
  return at;
}

/** The end of an axis from 0 that has room for `most`, and its whole ticks. */
export function axis(most: number, count: number): { end: number; steps: number[] } {
  const [, end] = nice(0, Math.max(1, most), count);
  return { end, steps: ticks(0, end, count).filter(Number.isInteger) };
}
