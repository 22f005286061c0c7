// The question how a request has ended: three answers, each with a key, and one key to skip it. It
// takes no focus before an answer needs more words, so that the dashboard's keys go on working.

import { useEffect, useState } from 'react';
import type { OutcomeChange, RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import { focusIsLost } from '../list/use-row-focus';
import { awaitsStaff } from '../requests/action-buttons';
import { dateTime, isOpen } from '../requests/format';
import { type OutcomeName, outcomes, outcomeText, reasons } from '../requests/outcome-text';
import { FieldError } from '../ui/field';
import { FormFault, useSubmit } from '../ui/use-submit';

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
  const known = outcome.request?.outcome;
  const sending = useSubmit({
    keep: `outcome ${outcome.request?.id} ${choice}`,
    check: () => ({}),
    async send({ value = '', per = '', reason = '', words = '' }) {
      if (choice === 'lost' && !reason) throw new FormFault('Choose why it was lost.');
      const change: OutcomeChange = { outcome: choice };
      if (reason) change.reason = reason;
      if (words.trim()) change.words = words.trim();
      if (value.trim()) Object.assign(change, { value: value.trim(), per });
      const failure = await outcome.save(change);
      if (failure) throw new FormFault(failure);
      back();
    },
  });
  const { ref } = sending.form;
  useEffect(() => ref.current?.querySelector<HTMLElement>('input, select')?.focus(), [ref]);

  return (
    <form {...sending.form} className="panel-form outcome-form">
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
      <Button type="submit" look="ink" disabled={sending.sending}>
        Save
      </Button>
      <FieldError role="alert" text={sending.alert} />
    </form>
  );
}

// Asks once how a request has ended, after this user has completed or rejected it.

export type Outcome = ReturnType<typeof useOutcome>;

type Asked = { id: string; choice: OutcomeName | undefined };

/** `record` stores an outcome; it returns an error, or an empty text. */
export function useOutcome(
  requests: ReadonlyMap<string, RequestItem>,
  record: (request: RequestItem, outcome: OutcomeChange) => Promise<string>,
) {
  const [asked, setAsked] = useState<Asked>();
  const found = requests.get(asked?.id ?? '');
  // After an undo of the move there is nothing to ask.
  const request = found && !isOpen(found) && !found.held ? found : undefined;

  async function choose(choice: OutcomeName): Promise<string> {
    if (!request) return '';
    if (choice !== 'not_customer') {
      setAsked({ id: request.id, choice });
      return '';
    }
    return save({ outcome: choice });
  }

  async function save(outcome: OutcomeChange): Promise<string> {
    if (!request) return '';
    const failure = await record(request, outcome);
    if (!failure) setAsked((now) => (now?.id === request.id ? undefined : now));
    return failure;
  }

  return {
    /** The request whose outcome is asked for. */
    request,
    choice: request ? asked?.choice : undefined,
    ask: (id: string) => setAsked({ id, choice: undefined }),
    choose,
    save,
    skip: () => setAsked(undefined),
  };
}

// The outcome of a request that is closed or won among its facts, with the button that records or
// changes it.

export function OutcomeFact({ request, ask }: { request: RequestItem; ask(id: string): void }) {
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
