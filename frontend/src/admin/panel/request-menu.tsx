// The rare actions of the open request, in one menu: a correction of its status with a reason, so
// that no slip of the hand reopens or withdraws a request, and the mark as spam.
import type { CorrectionName, RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { FieldError } from '../ui/field';
import { Popover } from '../ui/popover';
import { FormFault, useSubmit } from '../ui/use-submit';

type CorrectionProps = {
  request: RequestItem;
  /** Returns an error, or an empty text. */
  correct(request: RequestItem, correction: CorrectionName, reason: string): Promise<string>;
};

type Props = CorrectionProps & { markSpam(request: RequestItem): void };

/** Held requests have no such actions. */
export function RequestMenu({ request, correct, markSpam }: Props) {
  if (request.held) return null;
  const correction = correctionOf(request);
  return (
    <Popover key={request.id} className="request-menu" summary="More">
      {correction ? <CorrectionForm request={request} correct={correct} correction={correction} /> : null}
      <p className="muted">Spam leaves the lists and is deleted with the other held requests.</p>
      <Button look="line" onClick={() => markSpam(request)}>
        Mark as spam
      </Button>
    </Popover>
  );
}

function CorrectionForm({ request, correct, correction }: CorrectionProps & { correction: CorrectionName }) {
  const [name, hint] = texts[correction];
  const sending = useSubmit({
    keep: `${correction} ${request.id}`,
    check: () => ({}),
    async send({ reason = '' }) {
      if (!reason.trim()) throw new FormFault('Give a reason for the history.');
      const menu = sending.form.ref.current?.closest('details');
      const failure = await correct(request, correction, reason.trim());
      if (failure) throw new FormFault(failure);
      if (menu) menu.open = false;
    },
  });

  return (
    <form {...sending.form} className="panel-form">
      <p className="muted">{hint}</p>
      <div className="field">
        <label htmlFor="correction-reason">Reason</label>
        <input id="correction-reason" name="reason" className="input" maxLength={500} autoComplete="off" />
      </div>
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
