// The question how a request has ended: three answers, each with a key, and one key to skip it. It
// takes no focus before an answer needs more words, so that the dashboard's keys go on working.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { OutcomeChange } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import { focusIsLost } from '../list/use-row-focus';
import { type OutcomeName, outcomes, reasons } from '../requests/outcome-text';
import { FieldError, formValues } from '../ui/field';
import type { Outcome } from './use-outcome';

/** `back` takes the focus to the request whose end was recorded. */
type Props = { outcome: Outcome; back(): void };

export function OutcomePrompt({ outcome, back }: Props) {
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
            onClick={async () => {
              const failure = await choose(value);
              setAlert(failure);
              if (!failure && focusIsLost()) back();
            }}
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
      {choice ? (
        <OutcomeForm key={`${request.id} ${choice}`} choice={choice} outcome={outcome} back={back} />
      ) : null}
    </section>
  );
}

function OutcomeForm({ choice, outcome, back }: Props & { choice: OutcomeName }) {
  const [alert, setAlert] = useState('');
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const known = outcome.request?.outcome;
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), []);

  async function store(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const { value = '', per = '', reason = '', words = '' } = formValues(event.currentTarget);
    if (choice === 'lost' && !reason) return setAlert('Choose why it was lost.');
    const change: OutcomeChange = { outcome: choice };
    if (reason) change.reason = reason;
    if (words.trim()) change.words = words.trim();
    if (value.trim()) Object.assign(change, { value: value.trim(), per });
    setBusy(true);
    const failure = await outcome.save(change);
    setAlert(failure);
    setBusy(false);
    if (!failure) back();
  }

  return (
    <form
      ref={form}
      className="panel-form outcome-form"
      noValidate
      onSubmit={store}
      onInput={() => setAlert('')}
    >
      {choice === 'lost' ? (
        <div className="field">
          <label htmlFor="outcome-reason">Why?</label>
          <select id="outcome-reason" name="reason" className="input" defaultValue={known?.reason ?? ''}>
            <option value="">Choose</option>
            {reasons.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
      ) : null}
      <div className="field">
        <label htmlFor="outcome-value">Value in dollars (optional)</label>
        <input
          id="outcome-value"
          name="value"
          className="input"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={known?.value ?? ''}
        />
      </div>
      <div className="field">
        <label htmlFor="outcome-per">For</label>
        <select id="outcome-per" name="per" className="input" defaultValue={known?.per ?? 'month'}>
          <option value="month">A month</option>
          <option value="total">In all</option>
        </select>
      </div>
      <div className="field outcome-words">
        <label htmlFor="outcome-words">Words (optional)</label>
        <input
          id="outcome-words"
          name="words"
          className="input"
          maxLength={500}
          autoComplete="off"
          defaultValue={known?.words ?? ''}
        />
      </div>
      <Button type="submit" look="ink" disabled={busy}>
        Save
      </Button>
      <FieldError role="alert" text={alert} />
    </form>
  );
}
