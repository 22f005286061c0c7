// The form that adds a webhook or a chat room.
import { addWebhook, type WebhookSettings } from '../../api/on-call';
import { useAuth } from '../session/provider';
import { Options } from '../ui/choice';
import { Labeled, TextField } from '../ui/field';
import { required, SubmitForm, useSubmit } from '../ui/use-submit';

const shapes: Record<WebhookSettings['shape'], string> = {
  standard: 'Signed JSON (Standard Webhooks)',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  ntfy: 'ntfy',
};

const isShape = (text = ''): text is WebhookSettings['shape'] => Object.hasOwn(shapes, text);

type Props = {
  /** The events that can be chosen. */
  events: string[];
  /** Called with the secret to show, which is empty for chat rooms. */
  added(secret: string): Promise<void>;
};

export function AddWebhook({ events, added }: Props) {
  const { manager } = useAuth();
  const sending = useSubmit({
    keep: 'webhook',
    check: required('name', 'url'),
    send: async ({ name = '', url = '', shape: chosenShape }) => {
      const shape = isShape(chosenShape) ? chosenShape : 'standard';
      const form = sending.form.ref.current;
      const chosen = form ? new FormData(form).getAll('events').map(String) : [];
      const settings = { name, url, shape, events: chosen, is_on: true };
      const webhook = await manager.withToken(addWebhook, settings);
      form?.reset();
      await added(shape === 'standard' ? webhook.secret : '');
    },
  });
  return (
    <details className="site-folded">
      <summary>Add a webhook or a chat room</summary>
      <SubmitForm of={sending} submit="Add" look="ink">
        <TextField name="name" label="Name" autoComplete="off" error={sending.messages.name} />
        <TextField name="url" label="Address" autoComplete="off" error={sending.messages.url} />
        <Labeled id="shape" label="Format">
          <select id="shape" className="input" name="shape">
            <Options of={Object.entries(shapes)} />
          </select>
        </Labeled>
        <fieldset className="field">
          <legend>Events</legend>
          {events.map((event) => (
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
      </SubmitForm>
    </details>
  );
}
