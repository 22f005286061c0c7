// Changing the e-mail address: both the old and the new one are asked by mail.
import { updateUser } from '../../api/auth';
import { Refusal } from '../../api/call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { TextField } from '../field';
import { useAuth, useSession } from '../session/provider';
import { required, useSend } from '../use-send';

export function EmailChange() {
  const { keeper } = useAuth();
  const { user } = useSession();
  const sending = useSend({
    check: required('email'),
    send: async ({ email = '' }) => {
      keeper.updateUser(await keeper.authorised((token) => updateUser(token, { email: email.trim() })));
      toast({
        title: 'Look in your mail',
        detail: 'Open the link in the mail to your old address and in the one to your new address.',
      });
      sending.form.ref.current?.reset();
    },
    fieldOf: (error) =>
      error instanceof Refusal && ['email_exists', 'validation_failed'].includes(error.code)
        ? 'email'
        : undefined,
  });
  return (
    <section aria-labelledby="email-title">
      <h2 id="email-title">E-mail</h2>
      {user.new_email ? (
        <p className="said" role="status">
          {`${user.new_email} takes the place of ${user.email} once the links in both mails have been opened.`}
        </p>
      ) : null}
      <form {...sending.form} className="door-form">
        <FormAlert text={sending.alert} />
        <TextField
          name="email"
          label="New e-mail"
          type="email"
          autoComplete="email"
          error={sending.messages.email}
        />
        <Button type="submit" look="ink" disabled={sending.sending}>
          Change e-mail
        </Button>
      </form>
    </section>
  );
}
