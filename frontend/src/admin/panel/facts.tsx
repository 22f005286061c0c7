// The facts of a request, in the customer's words where there are any.
import type { RequestItem } from '../../api/inbox-types';
import {
  ago,
  dateTime,
  durationLabel,
  replyFailed,
  serviceLabel,
  startDay,
  timeLeft,
} from '../requests/format';
import { CallableText } from './callable-text';
import { Fact } from './fact';
import { Place } from './place/place';

export function Facts({ request, now }: { request: RequestItem; now: number }) {
  const left = timeLeft(request, now);
  return (
    <dl className="request-facts">
      <Fact name="Service">{serviceLabel(request)}</Fact>
      <Place request={request} now={now} />
      {request.start_date ? (
        <Fact name="Start date">{`${startDay(request.start_date, now)} (${request.start_date})`}</Fact>
      ) : null}
      {request.duration ? <Fact name="Duration">{durationLabel(request.duration)}</Fact> : null}
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
      {request.answered_at ? (
        <Fact name={request.emergency_contact ? 'Reached' : 'Answered'}>{ago(request.answered_at, now)}</Fact>
      ) : (
        <Fact name={request.emergency_contact ? 'Call due' : 'Answer due'}>
          {dateTime(request.due_at)}
          {left ? <strong className={left.overdue ? 'overdue' : undefined}> ({left.text})</strong> : null}
        </Fact>
      )}
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
