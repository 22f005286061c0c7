// Asking for a new password by mail. The answer is the same whether there is such an account or not.
import { useState } from 'react';
import { recover } from '../../api/auth';
import { Button } from '../../ui/button';
import { TextField } from '../field';
import { useAuth } from '../session/provider';
import { required, useSend } from '../use-send';
import { DoorCard, FormAlert } from './card';

export function Forgotten() {
  const { setNotice } = useAuth();
  const [sentTo, setSentTo] = useState('');
  const sending = useSend({
    check: required('email'),
    send: async ({ email = '' }) => {
      await recover(email.trim());
      setNotice(undefined);
      setSentTo(email.trim());
    },
  });
  if (sentTo) {
    return (
      <DoorCard title="Look in your mail" key="sent">
        <p role="status">
          {`If there is an account for ${sentTo}, we have sent it a link. It works once, for an hour. Look in the junk folder too.`}
        </p>
        <p>
          <a href="/admin">Back to sign in</a>
        </p>
      </DoorCard>
    );
  }
  return (
    <DoorCard title="Forgot your password?" key="ask">
      <p>We mail you a link. Opening it lets you choose a new password.</p>
      <form {...sending.form} className="door-form">
        <FormAlert text={sending.alert} />
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          error={sending.messages.email}
        />
        <Button type="submit" wide disabled={sending.sending}>
          Send the link
        </Button>
      </form>
      <p>
        <a href="/admin">Back to sign in</a>
      </p>
    </DoorCard>
  );
}
