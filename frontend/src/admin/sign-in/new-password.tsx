// Sets a password after an email link: a password reset or an invitation.
import { navigate } from 'wouter/use-browser-location';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { passwordField, useStorePassword } from '../account/password-change';
import { useAuth, useSession } from '../session/provider';
import { AuthCard } from '../ui/auth-card';
import { TextField } from '../ui/field';
import { required, SubmitForm, useSubmit } from '../ui/use-submit';

export function NewPassword({ invited }: { invited: boolean }) {
  const { signOut } = useAuth();
  const { user } = useSession();
  const storePassword = useStorePassword();
  const sending = useSubmit({
    check: required('password'),
    send: async ({ password = '' }) => {
      await storePassword({ password });
      toast({ title: invited ? 'Welcome' : 'Password changed', detail: 'Use it the next time you sign in.' });
      navigate('/admin', { replace: true });
    },
    fieldOf: passwordField,
  });
  return (
    <AuthCard title={invited ? 'Welcome. Choose your password' : 'Choose a new password'}>
      <p>{`For ${user.email}. ${invited ? 'You will sign in with it from now on.' : 'Your other sessions end when it changes.'}`}</p>
      <SubmitForm of={sending} submit="Save the password" wide>
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        <TextField
          name="password"
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="Long is strong: a few unrelated words are safer than signs and digits, and easier to keep in mind."
          error={sending.messages.password}
        />
      </SubmitForm>
      <div className="actions">
        <Button look="quiet" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthCard>
  );
}
