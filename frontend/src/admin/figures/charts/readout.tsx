// The value of a drawing under the pointer, or the one that the arrow keys have reached, in words
// below it. Marks have their place among the words in `data-at`.
import { type KeyboardEvent, type ReactNode, useState } from 'react';

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
