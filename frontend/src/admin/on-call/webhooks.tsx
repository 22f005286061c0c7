// Other systems that are told of requests: webhooks and chat rooms.
import { useCallback, useEffect, useState } from 'react';
import {
  addWebhook,
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
import { FormAlert } from '../ui/auth-card';
import { TextField } from '../ui/field';
import { errorMessage, required, useSubmit } from '../ui/use-submit';

const shapes = {
  standard: 'Signed JSON (Standard Webhooks)',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  ntfy: 'ntfy',
};

export function Webhooks() {
  const { manager } = useAuth();
  const [found, setFound] = useState<{ webhooks: Webhook[]; events: string[] }>();
  const [secret, setSecret] = useState('');
  const [alert, setAlert] = useState('');
  const [log, setLog] = useState<{ webhook: string; deliveries: WebhookDelivery[] }>();

  const load = useCallback(
    () => manager.withToken(listWebhooks).then(setFound, (error) => setAlert(errorMessage(error))),
    [manager],
  );
  useEffect(() => {
    load();
  }, [load]);

  async function attempt(job: (token: string) => Promise<unknown>) {
    setAlert('');
    try {
      await manager.withToken(job);
      await load();
    } catch (error) {
      setAlert(errorMessage(error));
    }
  }

  const showLog = (id: string) =>
    attempt(async (token) => setLog({ webhook: id, ...(await listDeliveries(token, id)) }));

  const sending = useSubmit({
    check: required('name', 'url'),
    send: async ({ name = '', url = '', shape = 'standard' }) => {
      const form = sending.form.ref.current;
      const events = form ? new FormData(form).getAll('events').map(String) : [];
      const settings = { name, url, shape, events, is_on: true };
      const added = await manager.withToken((token) => addWebhook(token, settings));
      setSecret(shape === 'standard' ? added.secret : '');
      form?.reset();
      await load();
    },
  });

  return (
    <section aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Other systems</h2>
      <FormAlert text={alert} />
      {secret ? (
        <div role="status">
          <p>The secret of the webhook. It is shown once: keep it where the other system reads it.</p>
          <p className="secret">{secret}</p>
        </div>
      ) : null}
      <ul className="things">
        {(found?.webhooks ?? []).map((webhook) => (
          <li key={webhook.id} className="person">
            <span>
              <strong>{webhook.name}</strong>
              <span className="muted">{`${webhook.url}, ${webhook.events.join(', ')}`}</span>
              {webhook.is_on ? null : <span className="gap"> Switched off</span>}
              {webhook.failing_since ? (
                <span className="gap">{` Fails since ${dateTime(webhook.failing_since)}`}</span>
              ) : null}
              {log?.webhook === webhook.id ? <Log deliveries={log.deliveries} again={attempt} /> : null}
            </span>
            <span className="person-actions">
              <Button look="line" onClick={() => showLog(webhook.id)}>
                Log
              </Button>
              <Button
                look="line"
                onClick={() =>
                  attempt((token) => {
                    const { name, url, shape, events, is_on } = webhook;
                    return changeWebhook(token, webhook.id, { name, url, shape, events, is_on: !is_on });
                  })
                }
              >
                {webhook.is_on ? 'Switch off' : 'Switch on'}
              </Button>
              {webhook.shape === 'standard' ? (
                <Button
                  look="line"
                  onClick={() =>
                    attempt(async (token) => setSecret((await rotateWebhookSecret(token, webhook.id)).secret))
                  }
                >
                  New secret
                </Button>
              ) : null}
              <Button look="line" onClick={() => attempt((token) => removeWebhook(token, webhook.id))}>
                Remove
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Add a webhook or a chat room</summary>
        <form {...sending.form} className="auth-form">
          <FormAlert text={sending.alert} />
          <TextField name="name" label="Name" autoComplete="off" error={sending.messages.name} />
          <TextField name="url" label="Address" autoComplete="off" error={sending.messages.url} />
          <div className="field">
            <label htmlFor="shape">Shape</label>
            <select id="shape" className="input" name="shape">
              {Object.entries(shapes).map(([shape, name]) => (
                <option key={shape} value={shape}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <fieldset className="field">
            <legend>Events</legend>
            {(found?.events ?? []).map((event) => (
              <label key={event} className="field-check">
                <input
                  type="checkbox"
                  name="events"
                  value={event}
                  defaultChecked={event === 'request.created'}
                />
                {event}
              </label>
            ))}
          </fieldset>
          <Button type="submit" look="ink" disabled={sending.sending}>
            Add
          </Button>
        </form>
      </details>
    </section>
  );
}

type Again = (job: (token: string) => Promise<unknown>) => Promise<void>;

function Log({ deliveries, again }: { deliveries: WebhookDelivery[]; again: Again }) {
  if (!deliveries.length) return <span className="muted">Nothing was sent yet.</span>;
  return (
    <ul>
      {deliveries.map((it) => (
        <li key={it.id}>
          <span>
            {`${dateTime(it.created_at)}: ${it.event}, ${it.state}`}
            {it.error ? ` (${it.error})` : ''}
          </span>
          <Button look="line" onClick={() => again((token) => replayDelivery(token, it.id))}>
            Send again
          </Button>
        </li>
      ))}
    </ul>
  );
}
