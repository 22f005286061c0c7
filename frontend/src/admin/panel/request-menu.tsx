// The rare actions of the open request, in one menu: a correction of its status with a reason, so
// that no slip of the hand reopens or withdraws a request, and the mark as spam.
import { type FormEvent, useState } from 'react';
import type { CorrectionName, RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { FieldError, formValues } from '../ui/field';
import { Popover } from '../ui/popover';

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
  const [alert, setAlert] = useState('');
  const [name, hint] = texts[correction];

  async function store(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const reason = (formValues(form).reason ?? '').trim();
    if (!reason) return setAlert('Give a reason for the history.');
    const failure = await correct(request, correction, reason);
    setAlert(failure);
    const menu = form.closest('details');
    if (!failure && menu) menu.open = false;
  }

  return (
    <form className="panel-form" onSubmit={store}>
      <p className="muted">{hint}</p>
      <div className="field">
        <label htmlFor="correction-reason">Reason</label>
        <input
          id="correction-reason"
          name="reason"
          className="input"
          maxLength={500}
          autoComplete="off"
          onInput={() => setAlert('')}
        />
      </div>
      <FieldError role="alert" text={alert} />
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
