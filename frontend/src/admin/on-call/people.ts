// Names of people and times of the on-call schedule, as the page shows them, and its changes.
import type { OnCallPerson, OnCallState } from '../../api/on-call';
import { dateTime, personName } from '../requests/format';
import type { Option } from '../ui/choice';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The days of the week, from Monday, 0. */
export const weekdayOptions = weekdays.map((day, nth): Option => [String(nth), day]);

/** The name of a person, with the address if another has the same; or a word for one who left. */
export function nameOf(people: OnCallPerson[], id: string | null | undefined): string {
  const person = people.find((it) => it.id === id);
  const name = personName(person);
  const isShared = people.some((it) => it.id !== id && personName(it) === name);
  return person?.email && isShared ? `${name} (${person.email})` : name;
}

/** A time on the clock of the company, as `Nov 23, 8:00 AM`. */
export function companyTime(at: string, timeZone: string): string {
  return dateTime(at, timeZone);
}

/** The people to choose from, by their ids. */
export const peopleOptions = (people: OnCallPerson[]) =>
  people.map(({ id }): Option => [id, nameOf(people, id)]);

/** Runs a call that returns the new state, and shows it; its error is returned. */
export type Change = (job: (token: string) => Promise<OnCallState>) => Promise<string>;
