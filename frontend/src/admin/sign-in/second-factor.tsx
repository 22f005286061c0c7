// The second step of signing in: six digits from the authenticator, or a recovery code.
import { useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { type Factor, signInWithRecoveryCode, type User, verifyFactor } from '../../api/auth';
import { Button } from '../../ui/button';
import { useAuth, useSession } from '../session/provider';
import { AuthCard, FormAlert } from '../ui/auth-card';
import { Options } from '../ui/choice';
import { CodeField, Labeled, TextField } from '../ui/field';
import { required, useSubmit } from '../ui/use-submit';
import { showWelcome } from './sign-in';

export function SecondFactor() {
  const [lost, setLost] = useState(false);
  const { signOut } = useAuth();
  return (
    <AuthCard title={lost ? 'Use a recovery code' : 'Enter your code'} key={String(lost)}>
      <Proof lost={lost} />
      <div className="actions">
        <Button look="quiet" onClick={() => setLost(!lost)}>
          {lost ? 'Use the authenticator instead' : 'Use a recovery code'}
        </Button>
        <Button look="quiet" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthCard>
  );
}

/** The two ways: a code of the authenticator, or one that was written down. */
function Proof({ lost }: { lost: boolean }) {
  const { manager } = useAuth();
  const factors = verifiedFactors(useSession().user);
  const name = lost ? 'recovery-code' : 'code';
  const sending = useSubmit({
    check: required(name),
    send: async ({ [name]: typed = '', factor = factors[0]?.id ?? '' }) => {
      const session = lost
        ? await manager.withToken(signInWithRecoveryCode, typed.trim())
        : await manager.withToken(verifyFactor, factor, typed.replace(/\D/g, ''));
      manager.setSession(session, 'MFA_CHALLENGE_VERIFIED');
      showWelcome();
    },
    fieldOf: (error) => (error instanceof ApiError && [400, 422].includes(error.status) ? name : undefined),
  });
  const error = sending.messages[name];
  return (
    <form {...sending.form} className="auth-form">
      <p>
        {lost
          ? 'Each of the codes you wrote down when you set up the second factor works once.'
          : 'Open your authenticator app and type the six digits it shows.'}
      </p>
      <FormAlert text={sending.alert} />
      {lost ? (
        <TextField
          name={name}
          label="Recovery code"
          autoComplete="off"
          focus
          autocapitalize="none"
          spellcheck={false}
          error={error}
        />
      ) : (
        <>
          {factors.length > 1 ? <FactorChoice factors={factors} /> : null}
          <CodeField name={name} label="Six-digit code" focus onInput={sendWhole} error={error} />
        </>
      )}
      <Button type="submit" wide disabled={sending.sending}>
        Continue
      </Button>
    </form>
  );
}

/** Six digits need no press. */
function sendWhole({ currentTarget }: { currentTarget: HTMLInputElement }) {
  if (/^\d{6}$/.test(currentTarget.value.replace(/\s/g, ''))) currentTarget.form?.requestSubmit();
}

export function FactorChoice({ factors }: { factors: { id: string; friendly_name?: string }[] }) {
  return (
    <Labeled id="factor" label="Which authenticator">
      <select id="factor" name="factor" className="input">
        <Options of={factors.map(({ id, friendly_name: name }) => [id, name || 'Authenticator'])} />
      </select>
    </Labeled>
  );
}

/** The factors that the user has set up completely. */
export function verifiedFactors({ factors = [] }: User): Factor[] {
  return factors.filter(({ status }) => status === 'verified');
}
