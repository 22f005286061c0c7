// The times that "Remind me" offers, in the browser's time zone.

export type FollowUpTime = { label: string; at: Date };

const minute = 60_000;
/** Hours of the day at which a shift looks at what it has put off. */
const morning = 8;
const afternoon = 15;

/** How long an emergency that was not reached can wait; the server has the same rule. */
const emergencyWait = 60 * minute;

/** What can be chosen at a time, soonest first. An emergency waits for an hour at most. */
export function followUpTimes(now: Date, emergency: boolean): FollowUpTime[] {
  const after = (minutes: number) => new Date(now.getTime() + minutes * minute);
  const soon = [
    { label: 'In 5 minutes', at: after(5) },
    { label: 'In 30 minutes', at: after(30) },
    // A minute less than the server's hour: the press takes time too.
    { label: 'In 1 hour', at: after(emergency ? 59 : 60) },
  ];
  if (emergency) return soon;
  const later = [{ label: 'Tomorrow morning', at: atHour(now, 1, morning) }];
  const today = atHour(now, 0, afternoon);
  if (today.getTime() - now.getTime() > emergencyWait) later.unshift({ label: 'This afternoon', at: today });
  const toMonday = (8 - now.getDay()) % 7 || 7;
  if (toMonday > 1) later.push({ label: 'Monday morning', at: atHour(now, toMonday, morning) });
  return [...soon, ...later];
}

function atHour(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** A time as a `datetime-local` field has it. */
export function fieldTime(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A time in short: today the hour, otherwise the day too. */
export function shortTime(at: string, now: number): string {
  const date = new Date(at);
  const hour = { hour: 'numeric', minute: '2-digit' } as const;
  const sameDay = date.toDateString() === new Date(now).toDateString();
  if (sameDay) return date.toLocaleTimeString('en-US', hour);
  return date.toLocaleString('en-US', { month: 'short', day: 'numeric', ...hour });
}
