// Who wants to be reminded of the open request and when, or that the time has come.
import type { RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { dateTime, isOpen, personName } from '../requests/format';
import { useAuth } from '../session/provider';
import type { Changes } from '../state/use-changes';

type Props = { request: RequestItem; busy: boolean; remind: Changes['remind'] };

export function FollowUpNotice({ request, busy, remind }: Props) {
  const { user } = useAuth();
  const { follow_up: followUp } = request;
  if (!followUp || !isOpen(request)) return null;
  const who = followUp.by.id === user?.id ? 'You' : personName(followUp.by);
  const when = dateTime(followUp.at);
  return (
    <div className={followUp.due ? 'follow-up-notice follow-up-due' : 'follow-up-notice'}>
      <p>
        {followUp.due ? <strong>Follow up now. </strong> : null}
        {`${who} asked to be reminded ${followUp.due ? `at ${when}` : `on ${when}`}.`}
      </p>
      <Button look="line" className="button-small" disabled={busy} onClick={() => remind(request, null)}>
        {followUp.due ? 'Done' : 'End the reminder'}
      </Button>
    </div>
  );
}
