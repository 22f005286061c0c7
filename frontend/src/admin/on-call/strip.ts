// The next four weeks in days, for the strip: who is on call in which part of each.
import type { RotaSpan } from '../../api/on-call';
import { localOf, momentOf, nextDay } from './zone';

/** A part of a day with one person, or with nobody. */
export type Part = { person: string | undefined; from: number; until: number };
export type Day = { day: string; parts: Part[] };

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
