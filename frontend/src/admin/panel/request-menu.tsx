// What is rarely done with the open request, in one menu: print it; correct its status with a
// reason, so that no slip of the hand reopens or withdraws a request; mark it as spam; export or
// erase what is stored about its person.
import type { CorrectionName, RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { useDesk } from '../state/use-desk';
import { FieldError, Labeled } from '../ui/field';
import { Popover } from '../ui/popover';
import { FormFault, useSubmit } from '../ui/use-submit';
import { PersonData } from './person-data';

export function RequestMenu({ request }: { request: RequestItem }) {
  const { isAdmin } = useAuth();
  const { changes, showErased } = useDesk();
  const correction = request.held ? undefined : correctionOf(request);
  return (
    <Popover key={request.id} className="request-menu" summary="More">
      {correction ? <CorrectionForm request={request} correction={correction} /> : null}
      <Button look="line" onClick={() => print()}>
        Print
      </Button>
      {request.held ? null : (
        <>
          <Button look="line" onClick={() => changes.markSpam(request)}>
            Mark as spam
          </Button>
          <p className="muted">Spam leaves the lists and is deleted with the other held requests.</p>
        </>
      )}
      {isAdmin && request.email ? (
        <PersonData key={request.email} email={request.email} erased={showErased} />
      ) : null}
    </Popover>
  );
}

type CorrectionProps = { request: RequestItem; correction: CorrectionName };

function CorrectionForm({ request, correction }: CorrectionProps) {
  const { correct } = useDesk().changes;
  const [name, hint] = texts[correction];
  const sending = useSubmit({
    keep: `${correction} ${request.id}`,
    check: () => ({}),
    async send({ reason = '' }) {
      if (!reason.trim()) throw new FormFault('Give a reason for the history.');
      const menu = sending.form.ref.current?.closest('details');
      await correct(request, correction, reason.trim());
      if (menu) menu.open = false;
    },
  });

  return (
    <form {...sending.form} className="panel-form">
      <p className="muted">{hint}</p>
      <Labeled id="correction-reason" label="Reason">
        <input id="correction-reason" name="reason" className="input" maxLength={500} autoComplete="off" />
      </Labeled>
      <FieldError role="alert" text={sending.alert} />
      <Button type="submit" look="line">
        {name}
      </Button>
    </form>
  );
}

/** What can be corrected. */
function correctionOf({ status }: RequestItem): CorrectionName | undefined {
  if (status === 'pending') return undefined;
  return status === 'in_progress' ? 'withdraw' : 'reopen';
}

const texts: Record<CorrectionName, [name: string, hint: string]> = {
  reopen: ['Reopen request', 'Reopened, it is open as it was before it was closed.'],
  withdraw: [
    'Withdraw request',
    'Withdrawn, it is cancelled, for example because the customer called it off.',
  ],
};
