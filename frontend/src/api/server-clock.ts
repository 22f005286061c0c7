// The server's clock, from the time that comes with each of its answers: what is due is counted by
// it, however wrong the clock of this computer is.

/** Milliseconds that an answer may be late or rounded: smaller differences are no news. */
const tolerance = 2000;

/** How far this computer's clock may be off before the user is warned, in milliseconds. */
const worthSaying = 60_000;

let ahead = 0;
let said = false;
const listeners = new Set<(fault: string) => void>();

/** The present time by the server's clock, in milliseconds. */
export const serverNow = () => Date.now() + ahead;

/** Notes the time of an answer to a request that was sent at `sent`, by this computer's clock. */
export function noteTime(date: string | null, sent: number) {
  const at = Date.parse(date ?? '');
  const received = Date.now();
  // A request during which this computer slept, or its clock was set, tells nothing.
  if (Number.isNaN(at) || received < sent || received - sent > worthSaying) return;
  // The header has whole seconds.
  const found = at + 500 - (sent + received) / 2;
  if (Math.abs(found - ahead) < tolerance) return;
  ahead = Math.abs(found) < tolerance ? 0 : found;
  const isNews = !said && Math.abs(ahead) > worthSaying;
  said ||= isNews;
  for (const listener of listeners) listener(isNews ? faultText(-ahead) : '');
}

/** Calls `changed` when the clock is corrected, the first time with what is wrong. */
export function onClockChange(changed: (fault: string) => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** As in "2 hours ahead". */
function faultText(off: number): string {
  const minutes = Math.round(Math.abs(off) / 60_000);
  const hours = Math.round(minutes / 60);
  const [count, unit] = minutes < 90 ? [minutes, 'minute'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ${off > 0 ? 'ahead' : 'behind'}`;
}
