// Changes the email address; both the old and the new one must confirm by email.
import { ApiError } from '../../api/admin-client';
import { updateUser } from '../../api/auth';
import { toast } from '../../ui/toast';
import { useAuth, useSession } from '../session/provider';
import { TextField } from '../ui/field';
import { SubmitForm } from '../ui/submit-form';
import { required, useSubmit } from '../ui/use-submit';

export function EmailChange() {
  const { manager } = useAuth();
  const { user } = useSession();
  const sending = useSubmit({
    keep: 'new email',
    check: required('email'),
    send: async ({ email = '' }) => {
      manager.updateUser(await manager.withToken(updateUser, { email: email.trim() }));
      toast({
        title: 'Look in your mail',
        detail: 'Open the link in the mail to your old address and in the one to your new address.',
      });
      sending.form.ref.current?.reset();
    },
    fieldOf: (error) =>
      error instanceof ApiError && ['email_exists', 'validation_failed'].includes(error.code)
        ? 'email'
        : undefined,
  });
  return (
    <section aria-labelledby="email-title">
      <h2 id="email-title">Email</h2>
      {user.new_email ? (
        <p className="alert" role="status">
          {`${user.new_email} takes the place of ${user.email} once the links in both mails have been opened.`}
        </p>
      ) : null}
      <SubmitForm of={sending} submit="Change email" look="ink">
        <TextField
          name="email"
          label="New email"
          type="email"
          autoComplete="email"
          error={sending.messages.email}
        />
      </SubmitForm>
    </section>
  );
}
