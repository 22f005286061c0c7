// "Remind me": the request leaves "Needs attention" until a time, and is back then.
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { fieldTime, followUpTimes } from '../requests/follow-up-times';
import { awaitsCall } from '../requests/format';
import type { Changes } from '../state/use-changes';
import { FieldError, formValues } from '../ui/field';

type Props = {
  request: RequestItem;
  remind: Changes['remind'];
  done(): void;
};

export function RemindForm({ request, remind, done }: Props) {
  const [alert, setAlert] = useState('');
  const [now] = useState(() => new Date());
  const urgent = awaitsCall(request);
  const times = useRef<HTMLDivElement>(null);
  useEffect(() => times.current?.querySelector('button')?.focus(), []);

  async function choose(at: Date) {
    const failure = await remind(request, at.toISOString());
    setAlert(failure);
    if (!failure) done();
  }

  function store(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const at = new Date(formValues(event.currentTarget).at ?? '');
    if (Number.isNaN(at.getTime())) return setAlert('Choose a day and a time.');
    choose(at);
  }

  return (
    <form className="panel-form remind-form" noValidate onSubmit={store} onKeyDown={byArrow}>
      <p className="muted">
        {urgent
          ? 'This customer waits for a call: at most an hour.'
          : 'It leaves “Needs attention” and is back then, yours first.'}
      </p>
      <div ref={times} className="remind-times">
        {followUpTimes(now, urgent).map(({ label, at }) => (
          <Button key={label} look="line" className="button-small" onClick={() => choose(at)}>
            {label}
          </Button>
        ))}
      </div>
      <div className="field">
        <label htmlFor="remind-at">Or on</label>
        <input
          id="remind-at"
          name="at"
          className="input"
          type="datetime-local"
          min={fieldTime(now)}
          onInput={() => setAlert('')}
        />
      </div>
      <FieldError role="alert" text={alert} />
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
