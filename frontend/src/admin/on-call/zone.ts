// The clock of the company: its days and times, whatever the clock of the browser shows.

/** A moment on the clock of a zone: the day `YYYY-MM-DD`, and minutes after its midnight. */
export function localOf(at: number, timeZone: string): { day: string; minute: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const day = `${of('year')}-${of('month')}-${of('day')}`;
  return { day, minute: Number(of('hour')) * 60 + Number(of('minute')) };
}

/** What the clock of a zone shows at a moment, as if it were UTC. */
function shown(at: number, timeZone: string): number {
  const { day, minute } = localOf(at, timeZone);
  return Date.parse(`${day}T00:00:00Z`) + minute * 60_000;
}

/**
 * The moment at which the clock of a zone shows `YYYY-MM-DDTHH:MM`; of one that occurs twice the
 * first, and of one that is skipped the same time after the change.
 */
export function momentOf(local: string, timeZone: string): number {
  const wanted = Date.parse(`${local}:00Z`);
  const nearby = [-1, 1].map((side) => {
    const near = wanted + side * 86_400_000;
    return wanted - (shown(near, timeZone) - near);
  });
  const right = nearby.filter((at) => shown(at, timeZone) === wanted);
  return right.length ? Math.min(...right) : (nearby[0] ?? wanted);
}

/** The day so many days after another; before it, if `count` is negative. */
export const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

/** The day after another. */
export const nextDay = (day: string): string => dayAfter(day, 1);
