// The second step of signing in: six digits from the authenticator, or a recovery code.
import { useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { type Factor, signInWithRecoveryCode, type User, verifyFactor } from '../../api/auth';
import { Button } from '../../ui/button';
import { useAuth, useSession } from '../session/provider';
import { AuthCard, FormAlert } from '../ui/auth-card';
import { TextField } from '../ui/field';
import { required, useSubmit } from '../ui/use-submit';
import { showWelcome } from './sign-in';

export function SecondFactor() {
  const [lost, setLost] = useState(false);
  const { signOut } = useAuth();
  return (
    <AuthCard title={lost ? 'Use a recovery code' : 'Enter your code'} key={String(lost)}>
      {lost ? <Recovery /> : <Code />}
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

function Code() {
  const { manager } = useAuth();
  const factors = verifiedFactors(useSession().user);
  const sending = useSubmit({
    check: required('code'),
    send: async ({ code = '', factor = factors[0]?.id ?? '' }) => {
      const digits = code.replace(/\D/g, '');
      const session = await manager.withToken(verifyFactor, factor, digits);
      manager.setSession(session, 'MFA_CHALLENGE_VERIFIED');
      showWelcome();
    },
    fieldOf: (error) => (isWrong(error) ? 'code' : undefined),
  });
  return (
    <form {...sending.form} className="auth-form">
      <p>Open your authenticator app and type the six digits it shows.</p>
      <FormAlert text={sending.alert} />
      {factors.length > 1 ? <FactorChoice factors={factors} /> : null}
      <TextField
        name="code"
        label="Six-digit code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        focus
        onInput={sendWhole}
        error={sending.messages.code}
      />
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
    <div className="field">
      <label htmlFor="factor">Which authenticator</label>
      <select id="factor" name="factor" className="input">
        {factors.map(({ id, friendly_name }) => (
          <option key={id} value={id}>
            {friendly_name || 'Authenticator'}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The factors that the user has set up completely. */
export function verifiedFactors({ factors = [] }: User): Factor[] {
  return factors.filter(({ status }) => status === 'verified');
}

function Recovery() {
  const { manager } = useAuth();
  const sending = useSubmit({
    check: required('recovery-code'),
    send: async (values) => {
      const code = (values['recovery-code'] ?? '').trim();
      const session = await manager.withToken(signInWithRecoveryCode, code);
      manager.setSession(session, 'MFA_CHALLENGE_VERIFIED');
      showWelcome();
    },
    fieldOf: (error) => (isWrong(error) ? 'recovery-code' : undefined),
  });
  return (
    <form {...sending.form} className="auth-form">
      <p>Each of the codes you wrote down when you set up the second factor works once.</p>
      <FormAlert text={sending.alert} />
      <TextField
        name="recovery-code"
        label="Recovery code"
        autoComplete="off"
        focus
        autocapitalize="none"
        spellcheck={false}
        error={sending.messages['recovery-code']}
      />
      <Button type="submit" wide disabled={sending.sending}>
        Continue
      </Button>
    </form>
  );
}

function isWrong(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 422 || error.status === 400);
}
