// Changes the password. An old session needs an emailed code first (reauthentication).
import { useRef, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import { reauthenticate, type UserChange, updateUser } from '../../api/auth';
import { toast } from '../../ui/toast';
import { useAuth, useSession } from '../session/provider';
import { CodeField, TextField } from '../ui/field';
import { required, SubmitForm, useSubmit } from '../ui/use-submit';

/** The form field that an error of a password change belongs to. */
export function passwordField(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (['weak_password', 'same_password', 'validation_failed'].includes(error.code)) return 'password';
  return error.code === 'reauthentication_not_valid' ? 'nonce' : undefined;
}

/** Stores a new password; the same one again if the answer was lost, which may have stored it. */
export function useStorePassword(): (change: UserChange) => Promise<void> {
  const { manager } = useAuth();
  const lost = useRef<string>(undefined);
  return async (change) => {
    try {
      manager.updateUser(await manager.withToken(updateUser, change));
    } catch (error) {
      if (lost.current === change.password && hasErrorCode(error, 'same_password')) return;
      if (error instanceof ApiError && error.transient) lost.current = change.password;
      throw error;
    }
  };
}

export function PasswordChange() {
  const { manager } = useAuth();
  const storePassword = useStorePassword();
  const { user } = useSession();
  const [needsCode, setNeedsCode] = useState(false);
  const sending = useSubmit({
    check: required(...(needsCode ? ['password', 'nonce'] : ['password'])),
    send: async ({ password = '', nonce }) => {
      const change = { password, ...(nonce ? { nonce: nonce.trim() } : {}) };
      try {
        await storePassword(change);
      } catch (error) {
        if (!hasErrorCode(error, 'reauthentication_needed')) throw error;
        await manager.withToken(reauthenticate);
        setNeedsCode(true);
        return;
      }
      setNeedsCode(false);
      toast({ title: 'Password changed', detail: 'Your other sessions have ended.' });
      sending.form.ref.current?.reset();
    },
    fieldOf: passwordField,
  });
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <SubmitForm of={sending} submit="Change password" look="line">
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        <TextField
          name="password"
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="Your other sessions end when it changes."
          error={sending.messages.password}
        />
        {needsCode ? (
          <CodeField
            name="nonce"
            label="Code from your mail"
            hint={`You signed in a while ago, so we have sent a code to ${user.email}.`}
            error={sending.messages.nonce}
          />
        ) : null}
      </SubmitForm>
    </section>
  );
}
