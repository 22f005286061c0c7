// The next four weeks as a strip of days: a picture of the list below it. Dragging over days
// chooses them for an override, whose form takes the same two times by keyboard.
import type { OnCallState } from '../../api/on-call';
import { personName } from '../requests/format';
import { type Day, daysOf, type Part } from './strip';
import { type DayRange, useDayRange } from './use-day-range';

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
