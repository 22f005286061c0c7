// Invites a user by email; the link lets them choose a password.
import { ApiError } from '../../api/admin-client';
import { invite } from '../../api/auth';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { TextField } from '../ui/field';
import { SubmitForm } from '../ui/submit-form';
import { required, useSubmit } from '../ui/use-submit';

export function Invite({ invited }: { invited: () => void }) {
  const { manager } = useAuth();
  const sending = useSubmit({
    keep: 'invite',
    check: required('email'),
    send: async ({ email = '', role }) => {
      const address = email.trim();
      await manager.withToken(invite, address, role === 'admin' || role === 'dispatcher' ? role : undefined);
      toast({ title: 'Invitation sent', detail: `${address} gets a link that works once.` });
      sending.form.ref.current?.reset();
      invited();
    },
    fieldOf: (error) =>
      error instanceof ApiError && ['email_exists', 'validation_failed'].includes(error.code)
        ? 'email'
        : undefined,
  });
  return (
    <section aria-labelledby="invite-title">
      <h2 id="invite-title">Invite</h2>
      <SubmitForm of={sending} submit="Send the invitation" look="ink">
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="off"
          error={sending.messages.email}
        />
        <div className="field">
          <label htmlFor="role">Role</label>
          <select id="role" name="role" className="input">
            <option value="dispatcher">Dispatcher: works on requests</option>
            <option value="admin">Admin: also users, the site, exports and erasure</option>
            <option value="">No access to the dashboard</option>
          </select>
        </div>
      </SubmitForm>
    </section>
  );
}
