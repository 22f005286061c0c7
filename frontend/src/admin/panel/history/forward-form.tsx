// Passes a customer's message on to a colleague, by email.
import { useState } from 'react';
import { forwardMessage } from '../../../api/inbox';
import { Button } from '../../../ui/button';
import { toast } from '../../../ui/toast';
import { useAuth } from '../../session/provider';
import { losesFocus } from '../../state/use-row-focus';
import { focusOnce } from '../../ui/field';
import { forget } from '../../ui/kept';
import { errorToast, required, useSubmit } from '../../ui/use-submit';

type Props = { request: string; event: number; reload(): void };

export function ForwardForm(props: Props) {
  const [open, setOpen] = useState(false);
  if (open) return <OpenForm {...props} closed={() => setOpen(false)} />;
  return (
    <Button look="quiet" className="undo" onClick={() => setOpen(true)}>
      Forward<span className="visually-hidden"> this message</span>
    </Button>
  );
}

function OpenForm({ request, event, reload, closed }: Props & { closed(): void }) {
  const { manager } = useAuth();
  const keep = `forward ${event}`;
  const sending = useSubmit({
    keep,
    check: required('to'),
    async send({ to = '', note = '' }) {
      await manager.withToken(forwardMessage, request, event, { to, note });
      toast({ title: `Forwarded to ${to}` });
      close();
      reload();
    },
    failed: errorToast('Not forwarded'),
  });

  /** The focus goes back to the request: on nothing, the next letters would be its commands. */
  function close() {
    if (losesFocus(sending.form.ref.current)) document.getElementById('panel-title')?.focus();
    closed();
  }

  function cancel() {
    forget(keep);
    close();
  }

  return (
    <form {...sending.form} noValidate={false} className="unmatched-actions">
      <label className="field">
        To
        <input className="input" type="email" name="to" required ref={focusOnce} />
      </label>
      <label className="field">
        Note (optional)
        <input className="input" name="note" />
      </label>
      <Button type="submit" className="button-small" disabled={sending.sending}>
        Forward
      </Button>
      <Button look="quiet" className="button-small" onClick={cancel}>
        Cancel
      </Button>
    </form>
  );
}
