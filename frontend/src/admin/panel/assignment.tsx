// Who has the request: take it, hand it over, release it. And who else has it open just now.
import type { RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { AssignSelect } from '../list/bulk-bar';
import type { Viewer } from '../live/live-stream';
import { personName } from '../requests/format';
import { useAuth } from '../session/provider';
import { me } from '../state/use-changes';
import { useDesk } from '../state/use-desk';

export function Assignment({ request }: { request: RequestItem }) {
  const { user } = useAuth();
  const { people, changes, actions } = useDesk();
  const busy = changes.busy.has(request.id);
  const assign = (assignee: string | null) => actions.assign(request, assignee);
  const { assignee } = request;
  const mine = assignee != null && assignee.id === user?.id;
  return (
    <div className="assignment">
      <p>{assignee ? `Assigned to ${mine ? 'you' : personName(assignee)}` : 'Assigned to nobody'}</p>
      {assignee ? null : (
        <Button look="line" className="button-small" disabled={busy} onClick={() => assign(me)}>
          Take it
        </Button>
      )}
      {mine ? (
        <Button look="line" className="button-small" disabled={busy} onClick={() => assign(null)}>
          Give it back
        </Button>
      ) : null}
      <AssignSelect label="Hand over" people={people} assign={assign} />
    </div>
  );
}

export function Presence() {
  const { others } = useDesk();
  const writing = others.filter(({ replying }) => replying);
  const reading = others.filter(({ replying }) => !replying);
  const texts = [
    said(writing, 'is replying', 'are replying'),
    said(reading, 'has this open', 'have this open'),
  ];
  return (
    <p className={writing.length > 0 ? 'presence presence-replying' : 'presence'} role="status">
      {texts.filter(Boolean).join('; ')}
    </p>
  );
}

function said(people: Viewer[], one: string, several: string): string {
  if (people.length === 0) return '';
  const list = new Intl.ListFormat('en-US').format(people.map(personName));
  return `${list} ${people.length === 1 ? one : several}`;
}
