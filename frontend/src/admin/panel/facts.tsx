// The facts of a request that are not in its head, in the customer's words where there are any.

import type { ReactNode } from 'react';
import type { Attribution, RequestItem } from '../../api/inbox';
import { ago } from '../requests/format';
import { CallableText } from './callable-text';

export function Facts({ request, now }: { request: RequestItem; now: number }) {
  return (
    <dl className="request-facts">
      {request.location && request.time_zone ? (
        <Fact name="Time there">{timeThere(now, request.time_zone)}</Fact>
      ) : null}
      {Object.entries(request.extra_fields).map(([name, value]) => (
        <Fact key={name} name={fieldLabel(name)}>
          <CallableText text={value} />
        </Fact>
      ))}
      <Fact name="Received">
        <time dateTime={request.created_at}>{ago(request.created_at, now)}</time>
        {request.source === 'phone' ? ' by phone' : ''}
      </Fact>
      {request.emergency_contact && request.emailed_at && !request.answered_at ? (
        <Fact name="Emailed">
          {ago(request.emailed_at, now)}
          <strong className="overdue"> Not reached by phone.</strong>
        </Fact>
      ) : null}
      {request.reply_failed ? (
        <Fact name="Reply">
          <strong className="overdue">Not delivered.</strong> Send it again below, or call.
        </Fact>
      ) : null}
    </dl>
  );
}

/** The name of a form's field as a label: `site_contact` is "Site contact". */
function fieldLabel(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

/** One fact of a request: its name and its value. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Where the visit that led to a request came from. */
export function CameFrom(from: Attribution) {
  const facts: [string, string | undefined][] = [
    ['First page', from.landing],
    ['Linked from', from.referrer_host],
    ['Source', from.utm_source],
    ['Medium', from.utm_medium],
    ['Campaign', from.utm_campaign],
    ['Keyword', from.utm_term],
    ['Variant', from.utm_content],
    ['Ad click', from.gclid],
  ];
  const known = facts.filter(([, value]) => value);
  if (known.length === 0) return <p className="muted">Direct or unknown</p>;
  return (
    <dl className="request-facts">
      {known.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

/** The site of a request: a map, and the time that it is there. */
export function MapLink({ location }: { location: string }) {
  return (
    <a className="place-map" href={mapLink(location)} target="_blank" rel="noopener noreferrer">
      Map
    </a>
  );
}

/** Opens the maps program of a phone, and the site of the maps elsewhere. */
export function mapLink(location: string): string {
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(location)}`;
}

/** As in `Tue, 4:05 PM CST`. */
export function timeThere(now: number, timeZone: string): string {
  return new Date(now).toLocaleString('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}

/** The signals of spam of a request. A held one is released or discarded by the buttons below. */
export function HeldBox({ request }: { request: RequestItem }) {
  const { held, unacknowledged, held_reasons: reasons } = request;
  if (!held && !unacknowledged) return null;
  return (
    <section className={held ? 'held-box' : 'signals-box'} aria-label={held ? 'Held' : 'Signs of spam'}>
      <p>{held ? heldText : unacknowledgedText}</p>
      <ul>
        {reasons.map(({ signal, points, detail }) => (
          <li key={signal}>
            {detail} <span className="muted">({points === 1 ? '1 point' : `${points} points`})</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const heldText = (
  <>
    <strong>Held as possible spam.</strong> No email has left. Release it if it is real.
  </>
);

const unacknowledgedText = (
  <>
    <strong>Signs of spam.</strong> No acknowledgement was sent to the address: it may belong to another
    person.
  </>
);
