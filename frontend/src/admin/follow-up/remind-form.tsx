// "Remind me": the request leaves "Needs attention" until a time, and is back then.

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { RequestItem } from '../../api/inbox';
import { serverNow } from '../../api/server-clock';
import { Button } from '../../ui/button';
import { fieldTime, followUpTimes } from '../requests/follow-up-times';
import { dateTime, isOpen, personName } from '../requests/format';
import { useAuth } from '../session/provider';
import { useDesk } from '../state/use-desk';
import { FieldError, Labeled } from '../ui/field';
import { errorMessage, FormFault, useSubmit } from '../ui/use-submit';

type Props = { request: RequestItem; done(): void };

export function RemindForm({ request, done }: Props) {
  const { changes } = useDesk();
  const [now] = useState(() => new Date(serverNow()));
  const urgent = request.awaits_call;
  const times = useRef<HTMLDivElement>(null);
  useEffect(() => times.current?.querySelector('button')?.focus(), []);

  async function choose(at: Date) {
    await changes.remind(request, at.toISOString());
    done();
  }

  const sending = useSubmit({
    keep: `remind ${request.id}`,
    check: () => ({}),
    send({ at: typed = '' }) {
      const at = new Date(typed);
      if (Number.isNaN(at.getTime())) throw new FormFault('Choose a day and a time.');
      return choose(at);
    },
  });
  const press = (at: Date) => choose(at).catch((error) => sending.setAlert(errorMessage(error)));

  return (
    <form {...sending.form} className="panel-form remind-form" onKeyDown={byArrow}>
      <p className="muted">
        {urgent
          ? 'This customer waits for a call: at most an hour.'
          : 'It leaves “Needs attention” and is back then, yours first.'}
      </p>
      <div ref={times} className="remind-times">
        {followUpTimes(now, urgent).map(({ label, at }) => (
          <Button key={label} look="line" className="button-small" onClick={() => press(at)}>
            {label}
          </Button>
        ))}
      </div>
      <Labeled id="remind-at" label="Or on">
        <input id="remind-at" name="at" className="input" type="datetime-local" min={fieldTime(now)} />
      </Labeled>
      <FieldError role="alert" text={sending.alert} />
      <Button type="submit" look="ink">
        Remind me
      </Button>
    </form>
  );
}

/** Arrow keys walk through the times. */
function byArrow(event: KeyboardEvent<HTMLFormElement>) {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const button = (event.target as Element).closest('.remind-times button');
  if (!step || !button) return;
  event.preventDefault();
  const next = step > 0 ? button.nextElementSibling : button.previousElementSibling;
  (next as HTMLElement | null)?.focus();
}

/** Who wants to be reminded of the open request and when, or that the time has come. */
export function FollowUpNotice({ request }: { request: RequestItem }) {
  const { user } = useAuth();
  const { busy, endReminder } = useDesk().changes;
  const { follow_up: followUp } = request;
  if (!followUp || !isOpen(request)) return null;
  const who = followUp.by.id === user?.id ? 'You' : personName(followUp.by);
  const when = dateTime(followUp.at);
  return (
    <div className={followUp.due ? 'follow-up-notice follow-up-due' : 'follow-up-notice'}>
      <p>
        {followUp.due ? <strong>Follow up now. </strong> : null}
        {`${who} asked to be reminded ${followUp.due ? `at ${when}` : `on ${when}`}.`}
      </p>
      <Button
        look="line"
        className="button-small"
        disabled={busy.has(request.id)}
        onClick={() => endReminder(request)}
      >
        {followUp.due ? 'Done' : 'End the reminder'}
      </Button>
    </div>
  );
}
