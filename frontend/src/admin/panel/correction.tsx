// Corrections of a status, beside the three moves: a menu with a reason, so that no slip of the
// hand reopens or withdraws a request. And a menu that marks a request as spam.
import { type FormEvent, useState } from 'react';
import type { CorrectionName, RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { formValues } from '../ui/field';
import { Popover } from '../ui/popover';

type Props = {
  request: RequestItem;
  /** Returns an error, or an empty text. */
  correct(request: RequestItem, correction: CorrectionName, reason: string): Promise<string>;
};

export function CorrectionMenu({ request, correct }: Props) {
  const [alert, setAlert] = useState('');
  const correction = correctionOf(request);
  if (!correction) return null;
  const [name, title, hint] = texts[correction];

  async function store(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const reason = (formValues(form).reason ?? '').trim();
    if (!reason) return setAlert('Give a reason for the history.');
    const failure = await correct(request, correction as CorrectionName, reason);
    setAlert(failure);
    const menu = form.closest('details');
    if (!failure && menu) menu.open = false;
  }

  return (
    <Popover key={request.id} className="correction" summary={title}>
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
        <p className="field-error" role="alert" hidden={!alert}>
          {alert}
        </p>
        <Button type="submit" look="line">
          {name}
        </Button>
      </form>
    </Popover>
  );
}

/** Holds a request as spam, which can be undone. */
export function SpamMenu({
  request,
  markSpam,
}: {
  request: RequestItem;
  markSpam(request: RequestItem): void;
}) {
  if (request.held) return null;
  return (
    <Popover key={request.id} className="correction" summary="Spam">
      <p className="muted">It leaves the lists and is deleted with the other held requests.</p>
      <Button look="line" onClick={() => markSpam(request)}>
        Mark as spam
      </Button>
    </Popover>
  );
}

/** What can be corrected. */
function correctionOf({ status, held }: RequestItem): CorrectionName | undefined {
  if (held || status === 'pending') return undefined;
  return status === 'in_progress' ? 'withdraw' : 'reopen';
}

const texts: Record<CorrectionName, [name: string, title: string, hint: string]> = {
  reopen: ['Reopen request', 'Reopen', 'It is open again, as it was before it was closed.'],
  withdraw: [
    'Withdraw request',
    'Withdraw',
    'It is cancelled, for example because the customer called it off.',
  ],
};
