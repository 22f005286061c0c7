// When the customer was answered, or until when an answer was promised.
import type { RequestItem } from '../../api/inbox-types';
import { Icon } from '../../ui/icon';
import { ago, awaitsCall, dateTime, timeLeft } from '../requests/format';

export function Promised({ request, now }: { request: RequestItem; now: number }) {
  const { emergency_contact: urgent, answered_at: answered } = request;
  const left = timeLeft(request, now);
  const [name, at] = answered
    ? [urgent ? 'Reached' : 'Answered', ago(answered, now)]
    : [urgent ? 'Call due' : 'Answer due', dateTime(request.due_at)];
  return (
    <p className="panel-promise">
      {urgent ? (
        <strong className="panel-urgent">
          <Icon name="alert" />
          {awaitsCall(request) ? 'Call now: not reached yet.' : 'Asked for a call right away.'}
        </strong>
      ) : null}
      <span>
        <span className="muted">{name}</span> {at}
        {left ? <strong className={left.overdue ? 'overdue' : undefined}> ({left.text})</strong> : null}
      </span>
    </p>
  );
}
