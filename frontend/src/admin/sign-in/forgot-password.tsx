// Password reset by email: the link opens where the email is read, its code is entered here. The
// response is the same whether the account exists or not.
import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { hasErrorCode } from '../../api/admin-client';
import { recoverWithCode, requestPasswordReset } from '../../api/auth';
import { useAuth } from '../session/provider';
import { AuthCard } from '../ui/auth-card';
import { CodeField, TextField } from '../ui/field';
import { required, SubmitForm, useSubmit } from '../ui/use-submit';

export function ForgotPassword() {
  const [sentTo, setSentTo] = useState('');
  return sentTo ? <Sent to={sentTo} key="sent" /> : <Ask sent={setSentTo} key="ask" />;
}

function Ask({ sent }: { sent: (to: string) => void }) {
  const { setNotice } = useAuth();
  const sending = useSubmit({
    check: required('email'),
    send: async ({ email = '' }) => {
      await requestPasswordReset(email.trim());
      setNotice(undefined);
      sent(email.trim());
    },
  });
  return (
    <AuthCard title="Forgot your password?">
      <p>We mail you a link. Opening it lets you choose a new password.</p>
      <SubmitForm of={sending} submit="Send the link" wide>
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          error={sending.messages.email}
        />
      </SubmitForm>
      <Back />
    </AuthCard>
  );
}

function Sent({ to }: { to: string }) {
  const { manager } = useAuth();
  const sending = useSubmit({
    check: required('code'),
    send: async ({ code = '' }) => {
      const session = await recoverWithCode(to, code.replace(/\D/g, ''));
      navigate('/admin?view=new-password', { replace: true });
      manager.setSession(session, 'PASSWORD_RECOVERY');
    },
    fieldOf: (error) => (hasErrorCode(error, 'otp_expired') ? 'code' : undefined),
  });
  return (
    <AuthCard title="Look in your mail">
      <p role="status">
        {`If there is an account for ${to}, we have sent it a link and a code. They work once, for an hour. Look in the junk folder too.`}
      </p>
      <SubmitForm of={sending} submit="Continue" wide>
        <CodeField
          name="code"
          label="Six-digit code from the mail"
          hint="For a mail that you read on another device."
          error={sending.messages.code}
        />
      </SubmitForm>
      <Back />
    </AuthCard>
  );
}

function Back() {
  return (
    <p>
      <a href="/admin">Back to sign in</a>
    </p>
  );
}
