// The facts of a request that are not in its head, in the customer's words where there are any.
import type { RequestItem } from '../../api/inbox-types';
import { ago, replyFailed } from '../requests/format';
import { CallableText } from './callable-text';
import { Fact } from './fact';
import { timeThere } from './place/place';

export function Facts({ request, now }: { request: RequestItem; now: number }) {
  return (
    <dl className="request-facts">
      {request.location && request.time_zone ? (
        <Fact name="Time there">{timeThere(now, request.time_zone)}</Fact>
      ) : null}
      {request.start_date ? <Fact name="Start date">{request.start_date}</Fact> : null}
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
      {replyFailed(request) ? (
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
