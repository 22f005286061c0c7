// Names of people and times of the on-call schedule, as the page shows them.
import type { OnCallPerson } from '../../api/on-call';
import { dateTime } from '../requests/format';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The address of a person, or a word for one who left. */
export function nameOf(people: OnCallPerson[], id: string | null | undefined): string {
  return people.find((person) => person.id === id)?.email ?? 'a former colleague';
}

/** A time on the clock of the company, as `Nov 23, 8:00 AM`. */
export function companyTime(at: string, timeZone: string): string {
  return dateTime(at, timeZone);
}
