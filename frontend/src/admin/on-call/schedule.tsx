// Who is on call now and in the next four weeks; gaps are listed.
import type { OnCallState } from '../../api/on-call';
import { companyTime, nameOf } from './people';

export function Schedule({ state: { spans, people, time_zone: zone } }: { state: OnCallState }) {
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
        <p>There is no on-call schedule yet. Until there is one, emergencies are sent by email only.</p>
      )}
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
      <p className="muted">{`Times in ${zone}`}</p>
    </section>
  );
}
