// Passes a customer's message on to a colleague, by email.
import { type FormEvent, useRef, useState } from 'react';
import { forwardMessage } from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { toast } from '../../../ui/toast';
import { losesFocus } from '../../list/use-row-focus';
import { useAuth } from '../../session/provider';
import { focusOnce } from '../../ui/field';
import { errorMessage, failureTitle } from '../../ui/use-submit';

type Props = { request: string; event: number; reload(): void };

export function ForwardForm({ request, event, reload }: Props) {
  const { manager } = useAuth();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [values, setValues] = useState({ to: '', note: '' });
  const form = useRef<HTMLFormElement>(null);

  /** The focus goes back to the request: on nothing, the next letters would be its commands. */
  function close() {
    if (losesFocus(form.current)) document.getElementById('panel-title')?.focus();
    setOpen(false);
  }

  async function send(submitted: FormEvent) {
    submitted.preventDefault();
    setBusy(true);
    try {
      await manager.withToken(forwardMessage, request, event, values);
      toast({ title: `Forwarded to ${values.to}` });
      close();
      reload();
    } catch (error) {
      const title = failureTitle(error, 'Not forwarded');
      toast({ title, detail: errorMessage(error), destructive: true });
    } finally {
      setBusy(false);
    }
  }

  if (!open)
    return (
      <Button look="quiet" className="undo" onClick={() => setOpen(true)}>
        Forward<span className="visually-hidden"> this message</span>
      </Button>
    );
  return (
    <form ref={form} className="unmatched-actions" onSubmit={send}>
      <label className="field">
        To
        <input
          className="input"
          type="email"
          value={values.to}
          required
          ref={focusOnce}
          onInput={(typed) => setValues({ ...values, to: typed.currentTarget.value })}
        />
      </label>
      <label className="field">
        Note (optional)
        <input
          className="input"
          value={values.note}
          onInput={(typed) => setValues({ ...values, note: typed.currentTarget.value })}
        />
      </label>
      <Button type="submit" className="button-small" disabled={busy}>
        Forward
      </Button>
      <Button look="quiet" className="button-small" onClick={close}>
        Cancel
      </Button>
    </form>
  );
}
