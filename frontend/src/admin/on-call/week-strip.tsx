// The next four weeks as a strip of days: a picture of the list below it. Dragging over days
// chooses them for an override, whose form takes the same two times by keyboard.

import { type PointerEvent, useLayoutEffect, useState } from 'react';
import type { OnCallState, RotaSpan } from '../../api/on-call';
import { personName } from '../requests/format';
import { localOf, momentOf, nextDay } from './zone';

/** The number of colors of the strip. */
const colors = 6;

type Props = {
  state: OnCallState;
  /** Only for those who may put another person on call. */
  choose?: ((range: DayRange) => void) | undefined;
};

export function WeekStrip({ state: { spans, people, time_zone: zone }, choose }: Props) {
  const { range, handlers } = useDayRange((days) => choose?.(days));
  const isChosen = (day: string) => range !== undefined && range.first <= day && day <= range.last;
  const colorOf = (id: string) => (people.findIndex((person) => person.id === id) + colors) % colors;
  const shortName = (id: string) => personName(people.find((it) => it.id === id));
  const part = ({ person, from, until }: Part) => (
    <span
      key={from}
      className={person ? `strip-part strip-${colorOf(person)}` : 'strip-part strip-gap'}
      style={{ flexGrow: until - from }}
    >
      {until - from >= 360 ? (person ? shortName(person) : 'Nobody') : ''}
    </span>
  );
  const day = ({ day, parts }: Day) => (
    <div key={day} data-day={day} className={isChosen(day) ? 'strip-day strip-chosen' : 'strip-day'}>
      <span className="strip-date">
        <span className="strip-weekday">{partOf(day, { weekday: 'short' })} </span>
        {partOf(day, { month: 'numeric', day: 'numeric' })}
      </span>
      <div className="strip-parts">{parts.map(part)}</div>
    </div>
  );
  return (
    <div className={choose ? 'strip strip-drag' : 'strip'} aria-hidden="true" {...(choose ? handlers : {})}>
      {daysOf(spans, zone).slice(0, 28).map(day)}
    </div>
  );
}

const partOf = (day: string, parts: Intl.DateTimeFormatOptions) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { ...parts, timeZone: 'UTC' });

// The next four weeks in days, for the strip: who is on call in which part of each.

/** A part of a day with one person or none. */
type Part = { person: string | undefined; from: number; until: number };
type Day = { day: string; parts: Part[] };

/** The days of spans on the clock of a zone; times are minutes of the day. */
export function daysOf(spans: RotaSpan[], timeZone: string): Day[] {
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return [];
  const days: Day[] = [];
  const end = Date.parse(last.until);
  for (let { day } = localOf(Date.parse(first.from), timeZone); ; day = nextDay(day)) {
    const from = momentOf(`${day}T00:00`, timeZone);
    const until = momentOf(`${nextDay(day)}T00:00`, timeZone);
    if (from >= end) return days;
    days.push({ day, parts: partsOf(spans, from, until) });
  }
}

function partsOf(spans: RotaSpan[], from: number, until: number): Part[] {
  const parts = spans.flatMap(({ from: begin, until: end, people }) => {
    const start = Math.max(from, Date.parse(begin));
    const stop = Math.min(until, Date.parse(end));
    if (start >= stop) return [];
    // A day of 23 or 25 hours is as wide as another.
    const minute = (at: number) => ((at - from) / (until - from)) * 1440;
    return { person: people[0], from: minute(start), until: minute(stop) };
  });
  return parts.reduce<Part[]>((joined, part) => {
    const before = joined.at(-1);
    if (before && before.person === part.person && before.until === part.from) before.until = part.until;
    else joined.push({ ...part });
    return joined;
  }, []);
}

/** The times without anybody. */
export const gapsIn = (spans: RotaSpan[]): RotaSpan[] => spans.filter(({ people }) => !people.length);

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

/**
 * Days of the strip that are chosen by dragging a pointer from one to another. A finger drags along
 * a line of days and scrolls across it. `chosen` gets the days when the pointer is let go; Escape
 * lets go of nothing.
 */
function useDayRange(chosen: (range: DayRange) => void) {
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
