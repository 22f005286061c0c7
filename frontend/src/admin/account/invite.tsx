// Inviting somebody: they get a mail whose link lets them choose a password.
import { invite } from '../../api/auth';
import { Refusal } from '../../api/call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { TextField } from '../field';
import { useAuth } from '../session/provider';
import { required, useSend } from '../use-send';

export function Invite({ invited }: { invited: () => void }) {
  const { keeper } = useAuth();
  const sending = useSend({
    check: required('email'),
    send: async ({ email = '', admin }) => {
      const address = email.trim();
      await keeper.authorised((token) => invite(token, address, admin === 'on'));
      toast({ title: 'Invitation sent', detail: `${address} gets a link that works once.` });
      sending.form.ref.current?.reset();
      invited();
    },
    fieldOf: (error) =>
      error instanceof Refusal && ['email_exists', 'validation_failed'].includes(error.code)
        ? 'email'
        : undefined,
  });
  return (
    <section aria-labelledby="invite-title">
      <h2 id="invite-title">Invite</h2>
      <form {...sending.form} className="door-form">
        <FormAlert text={sending.alert} />
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="off"
          error={sending.messages.email}
        />
        <div className="field">
          <label className="field-check">
            <input type="checkbox" name="admin" value="on" defaultChecked />
            May work the queue (admin)
          </label>
        </div>
        <Button type="submit" look="ink" disabled={sending.sending}>
          Send the invitation
        </Button>
      </form>
    </section>
  );
}
