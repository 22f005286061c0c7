// Names of people and times of the on-call schedule, as the page shows them.
import type { OnCallPerson } from '../../api/on-call';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The address of a person, or a word for one who left. */
export function nameOf(people: OnCallPerson[], id: string | null | undefined): string {
  return people.find((person) => person.id === id)?.email ?? 'a former colleague';
}

/** A time on the clock of the company, as `Mon, Nov 23, 08:00`. */
export function companyTime(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(at));
}
