// The question how a request has ended: three answers, each with a key, and one key to skip it. It
// takes no focus before an answer needs more words, so that the dashboard's keys go on working.

import { useEffect, useState } from 'react';
import type { OutcomeChange, RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import { awaitsStaff } from '../requests/actions';
import { dateTime, isOpen, type OutcomeName, outcomes, outcomeText, reasons } from '../requests/format';
import { useDesk } from '../state/use-desk';
import { focusIsLost } from '../state/use-row-focus';
import { Options } from '../ui/choice';
import { FieldError, Labeled } from '../ui/field';
import { errorMessage, FormFault, useSubmit } from '../ui/use-submit';

export function OutcomePrompt() {
  const { outcome, focusRequest } = useDesk();
  const { request, choice, choose, skip } = outcome;
  const [alert, setAlert] = useState('');
  const id = request?.id;
  useEffect(() => {
    setAlert('');
    if (id) announce('How did it end? Press 1 for won, 2 for lost, 3 for not a customer, Escape to skip.');
  }, [id]);
  if (!request) return null;
  return (
    <section className="bulk outcome-prompt" aria-labelledby="outcome-title">
      <p id="outcome-title">
        <strong>{`How did ${request.reference} end?`}</strong>
      </p>
      <div className="row-actions">
        {outcomes.map(([value, label], at) => (
          <Button
            key={value}
            look="line"
            aria-pressed={choice === value}
            onClick={() =>
              choose(value).then(
                () => focusIsLost() && focusRequest(request.id),
                (error) => setAlert(errorMessage(error)),
              )
            }
          >
            {label}{' '}
            <span className="key-hint" aria-hidden="true">
              {at + 1}
            </span>
          </Button>
        ))}
        <Button look="quiet" onClick={skip}>
          Skip{' '}
          <span className="key-hint" aria-hidden="true">
            Esc
          </span>
        </Button>
      </div>
      <FieldError role="alert" text={alert} />
      {choice ? <OutcomeForm key={`${request.id} ${choice}`} request={request} choice={choice} /> : null}
    </section>
  );
}

function OutcomeForm({ request, choice }: { request: RequestItem; choice: OutcomeName }) {
  const { outcome, focusRequest } = useDesk();
  const known = request.outcome;
  const sending = useSubmit({
    keep: `outcome ${request.id} ${choice}`,
    check: () => ({}),
    async send({ value = '', per = '', reason = '', words = '' }) {
      if (choice === 'lost' && !reason) throw new FormFault('Choose why it was lost.');
      const change: OutcomeChange = { outcome: choice };
      if (reason) change.reason = reason;
      if (words.trim()) change.words = words.trim();
      if (value.trim()) Object.assign(change, { value: value.trim(), per });
      await outcome.save(change);
      focusRequest(request.id);
    },
  });
  const { ref } = sending.form;
  useEffect(() => ref.current?.querySelector<HTMLElement>('input, select')?.focus(), [ref]);

  return (
    <form {...sending.form} className="panel-form outcome-form">
      {choice === 'lost' ? (
        <Labeled id="outcome-reason" label="Why?">
          <select id="outcome-reason" name="reason" className="input" defaultValue={known?.reason ?? ''}>
            <option value="">Choose</option>
            <Options of={reasons} />
          </select>
        </Labeled>
      ) : null}
      <Labeled id="outcome-value" label="Value in dollars (optional)">
        <input
          id="outcome-value"
          name="value"
          className="input"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={known?.value ?? ''}
        />
      </Labeled>
      <Labeled id="outcome-per" label="For">
        <select id="outcome-per" name="per" className="input" defaultValue={known?.per ?? 'month'}>
          <option value="month">A month</option>
          <option value="total">In all</option>
        </select>
      </Labeled>
      <Labeled id="outcome-words" label="Words (optional)" className="outcome-words">
        <input
          id="outcome-words"
          name="words"
          className="input"
          maxLength={500}
          autoComplete="off"
          defaultValue={known?.words ?? ''}
        />
      </Labeled>
      <Button type="submit" look="ink" disabled={sending.sending}>
        Save
      </Button>
      <FieldError role="alert" text={sending.alert} />
    </form>
  );
}

/**
 * The outcome of a request that is closed or won among its facts, with the button that records or
 * changes it.
 */
export function OutcomeFact({ request }: { request: RequestItem }) {
  const { ask } = useDesk().outcome;
  const { outcome } = request;
  if ((isOpen(request) && !outcome) || request.held) return null;
  return (
    <div className="assignment outcome-fact">
      <p>
        {outcome ? `Outcome: ${outcomeText(outcome, outcome.value)}` : 'The outcome is not recorded.'}
        {outcome?.won_at ? `, on ${dateTime(outcome.won_at)}. ${progress(request)}` : ''}
        {outcome?.words ? <span className="muted"> {outcome.words}</span> : null}
      </p>
      <Button look="line" className="button-small" onClick={() => ask(request.id)}>
        {outcome ? 'Change' : 'Record it'}
      </Button>
    </div>
  );
}

/** What has become of the posts of a won request. */
function progress(request: RequestItem): string {
  if (!isOpen(request)) return request.status === 'completed' ? 'Completed.' : 'Cancelled since.';
  return awaitsStaff(request) ? 'Not staffed yet.' : 'Staffed.';
}
