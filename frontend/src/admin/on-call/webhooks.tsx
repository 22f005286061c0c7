// Webhooks and chat rooms that receive events of requests.
import { useState } from 'react';
import {
  changeWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayDelivery,
  rotateWebhookSecret,
  type Webhook,
  type WebhookDelivery,
} from '../../api/on-call';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { useReadAgain } from '../session/use-read';
import { FormAlert } from '../ui/auth-card';
import { ConfirmButton } from '../ui/confirm-button';
import { Waiting } from '../ui/waiting';
import { AddWebhook } from './add-webhook';

/** Runs a change and reads the list again. */
type Run = (job: (token: string) => Promise<unknown>) => Promise<boolean>;

export function Webhooks() {
  const { manager } = useAuth();
  const [secret, setSecret] = useState('');
  const { found, alert, busy, retry, load, change } = useReadAgain(listWebhooks);
  const run: Run = (job) => change(() => manager.withToken(job));

  return (
    <section aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Other systems</h2>
      {found ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={retry} />}
      {secret ? (
        <div role="status">
          <p>The secret of the webhook. It is shown once: keep it where the other system reads it.</p>
          <p className="secret">{secret}</p>
        </div>
      ) : null}
      <ul className="things">
        {found?.webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} run={run} busy={busy} showSecret={setSecret} />
        ))}
      </ul>
      <AddWebhook
        events={found?.events ?? []}
        added={async (shown) => {
          setSecret(shown);
          await load();
        }}
      />
    </section>
  );
}

type RowProps = { webhook: Webhook; run: Run; busy: boolean; showSecret(secret: string): void };

function WebhookRow({ webhook, run, busy, showSecret }: RowProps) {
  const { id, name, url, shape, events, is_on: isOn, failing_since: failingSince } = webhook;
  const [log, setLog] = useState<WebhookDelivery[]>();
  const showLog = () => run(async (token) => setLog((await listDeliveries(token, id)).deliveries));
  // The secret before the last rotation is valid for a day, the one before that is not.
  const rotate = () =>
    busy ? undefined : run(async (token) => showSecret((await rotateWebhookSecret(token, id)).secret));
  const turn = isOn ? 'Turn off' : 'Turn on';
  return (
    <li className="person">
      <span>
        <strong>{name}</strong>
        <span className="muted">{`${url}, ${events.join(', ')}`}</span>
        {isOn ? null : <span className="gap"> Turned off</span>}
        {failingSince ? <span className="gap">{` Failing since ${dateTime(failingSince)}`}</span> : null}
        {log ? <Log deliveries={log} run={run} /> : null}
      </span>
      <span className="person-actions">
        <Button look="line" aria-label={`Log of ${name}`} aria-expanded={log !== undefined} onClick={showLog}>
          Log
        </Button>
        <Button
          look="line"
          aria-label={`${turn} ${name}`}
          onClick={() => run((token) => changeWebhook(token, id, { name, url, shape, events, is_on: !isOn }))}
        >
          {turn}
        </Button>
        {shape === 'standard' ? (
          <Button look="line" aria-label={`New secret of ${name}`} onClick={rotate}>
            New secret
          </Button>
        ) : null}
        <ConfirmButton name="Remove" of={name} act={() => run((token) => removeWebhook(token, id))} />
      </span>
    </li>
  );
}

function Log({ deliveries, run }: { deliveries: WebhookDelivery[]; run: Run }) {
  if (!deliveries.length) return <span className="muted">Nothing was sent yet.</span>;
  return (
    <ul>
      {deliveries.map((it) => (
        <li key={it.id}>
          <span>
            {`${dateTime(it.created_at)}: ${it.event}, ${it.state}`}
            {it.error ? ` (${it.error})` : ''}
          </span>
          <Button look="line" onClick={() => run((token) => replayDelivery(token, it.id))}>
            Send again
            <span className="visually-hidden">{` ${it.event} of ${dateTime(it.created_at)}`}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
