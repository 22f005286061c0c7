// Who is on call now and in the next four weeks. Times without anybody come first.
import type { OnCallState } from '../../api/on-call';
import { companyTime, nameOf } from './people';
import { type DayRange, gapsIn, WeekStrip } from './week-strip';

/** So many gaps are named above the strip; the list has all. */
const namedGaps = 3;

type Props = {
  state: OnCallState;
  /** Only for those who may put another person on call. */
  choose?: ((range: DayRange) => void) | undefined;
};

export const noSchedule =
  'There is no on-call schedule yet. Until there is one, emergencies are sent by email only.';

export function Schedule({ state, choose }: Props) {
  const { spans, people, time_zone: zone } = state;
  const [now, ...later] = spans;
  return (
    <section aria-labelledby="schedule-title">
      <h2 id="schedule-title">Now and next</h2>
      {now ? (
        <p className={now.people.length ? 'on-call-now' : 'on-call-now gap'}>
          {now.people.length ? `${nameOf(people, now.people[0])} is on call` : 'Nobody is on call'}
          {later.length ? ` until ${companyTime(now.until, zone)}` : ''}
        </p>
      ) : (
        <p>{noSchedule}</p>
      )}
      <Gaps state={state} />
      {now ? <WeekStrip state={state} choose={choose} /> : null}
      {now && choose ? (
        <p className="muted">
          To put another person on call, drag over days, or <a href="#overrides-title">enter two times</a>.
        </p>
      ) : null}
      {later.length ? (
        <details className="site-folded">
          <summary>The next four weeks</summary>
          <ul className="things">
            {later.map((span) => (
              <li key={span.from} className={span.people.length ? undefined : 'gap'}>
                <span>{`${companyTime(span.from, zone)} to ${companyTime(span.until, zone)}`}</span>
                <strong>
                  {span.people.length
                    ? span.people.map((id) => nameOf(people, id)).join(', then ')
                    : 'Nobody'}
                </strong>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {now ? <p className="muted">{`Times in ${zone}`}</p> : null}
    </section>
  );
}

/** The times of the next four weeks in which an emergency would reach no one. */
export function Gaps({ state: { spans, time_zone: zone } }: { state: OnCallState }) {
  const gaps = gapsIn(spans);
  if (!gaps.length) return null;
  const more = gaps.length - namedGaps;
  return (
    <div className="gaps">
      <p>Nobody is on call in these times of the next four weeks:</p>
      <ul>
        {gaps.slice(0, namedGaps).map(({ from, until }) => (
          <li key={from}>{`${companyTime(from, zone)} to ${companyTime(until, zone)}`}</li>
        ))}
        {more > 0 ? <li>{`and ${more} more`}</li> : null}
      </ul>
    </div>
  );
}
