// Days of the strip that are chosen by dragging a pointer from one to another. A finger drags along
// a line of days and scrolls across it.
import { type PointerEvent, useLayoutEffect, useState } from 'react';

/** The first and the last day, `YYYY-MM-DD`, in this order. */
export type DayRange = { first: string; last: string };

type Drag = { from: string; to: string };

const rangeOf = ({ from, to }: Drag): DayRange =>
  from <= to ? { first: from, last: to } : { first: to, last: from };

/** The day of the strip at a place of the window; empty beside it. */
function dayAt(x: number, y: number): string {
  const day = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-day]');
  return day?.dataset.day ?? '';
}

/** `chosen` gets the days when the pointer is let go; Escape lets go of nothing. */
export function useDayRange(chosen: (range: DayRange) => void) {
  const [drag, setDrag] = useState<Drag>();
  // In the same frame in which the days are marked: Escape may follow at once.
  useLayoutEffect(() => {
    if (!drag) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrag(undefined);
    };
    addEventListener('keydown', cancel);
    return () => removeEventListener('keydown', cancel);
  }, [drag]);

  return {
    range: drag && rangeOf(drag),
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0 || !event.isPrimary) return;
        const day = dayAt(event.clientX, event.clientY);
        if (!day) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: day, to: day });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const day = drag && dayAt(event.clientX, event.clientY);
        if (day && day !== drag.to) setDrag({ ...drag, to: day });
      },
      onPointerUp() {
        if (drag) chosen(rangeOf(drag));
        setDrag(undefined);
      },
      onPointerCancel() {
        setDrag(undefined);
      },
    },
  };
}
