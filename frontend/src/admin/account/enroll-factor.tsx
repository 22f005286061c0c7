// Setting up an authenticator app: scan or type, prove it with a code. Recovery codes follow.
import { useEffect, useRef, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import {
  createRecoveryCodes,
  currentUser,
  type Enrollment,
  enrollFactor,
  removeFactor,
  verifyFactor,
} from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { TextField } from '../field';
import { useAuth } from '../session/provider';
import { FormAlert } from '../sign-in/auth-card';
import { errorMessage, required, useSubmit } from '../use-submit';
import { QrCode } from './qr-code';

/** Without `cancel` there is no way around it. */
export function EnrollFactor({ done, cancel }: { done(): void; cancel?(): void }) {
  const { manager, showRecoveryCodes } = useAuth();
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const [alert, setAlert] = useState('');
  const [round, setRound] = useState(0);
  const proved = useRef(false);

  useEffect(() => {
    let started: Enrollment | undefined;
    let left = false;
    const drop = () => {
      if (!started || proved.current) return;
      const { id } = started;
      manager.withToken((token) => removeFactor(token, id)).catch(() => {});
    };
    manager.withToken(begin).then(
      (answer) => {
        started = answer;
        if (left) drop();
        else setEnrollment(answer);
      },
      (error) => setAlert(errorMessage(error)),
    );
    return () => {
      left = true;
      drop();
    };
  }, [manager, round]);

  async function proven(code: string, { id }: Enrollment) {
    setAlert('');
    const session = await manager
      .withToken((token) => verifyFactor(token, id, code.replace(/\D/g, '')))
      .catch((error) => {
        if (!hasErrorCode(error, 'mfa_factor_not_found')) throw error;
      });
    if (!session) {
      // It has waited too long, or the screen was opened again elsewhere.
      setAlert('That code has expired. Please scan this new one.');
      setEnrollment(undefined);
      setRound(round + 1);
      return;
    }
    proved.current = true;
    manager.setSession(session, 'MFA_CHALLENGE_VERIFIED');
    toast({ title: 'Second factor set up' });
    manager.withToken(currentUser).then(manager.updateUser, () => {});
    // Without them the factor stands all the same; the account page makes them at any time.
    const made = await manager.withToken(createRecoveryCodes).catch(() => undefined);
    showRecoveryCodes(made?.codes);
    done();
  }

  if (!enrollment) return <FormAlert text={alert} />;
  return (
    <>
      <FormAlert text={alert} />
      <Prove key={enrollment.id} enrollment={enrollment} proven={proven} cancel={cancel} />
    </>
  );
}

/** Begins a factor, in the place of those that this screen has started and never proved. */
async function begin(token: string): Promise<Enrollment> {
  const { factors = [] } = await currentUser(token);
  const ours = factors.filter(
    ({ status, friendly_name }) => status === 'unverified' && friendly_name.startsWith(named),
  );
  await Promise.allSettled(ours.map(({ id }) => removeFactor(token, id)));
  return enrollFactor(token, nameNow());
}

type ProveProps = {
  enrollment: Enrollment;
  proven(code: string, enrollment: Enrollment): Promise<void>;
  cancel: (() => void) | undefined;
};

function Prove({ enrollment, proven, cancel }: ProveProps) {
  const { secret, qr_code, uri } = enrollment.totp;
  const sending = useSubmit({
    check: required('code'),
    send: ({ code = '' }) => proven(code, enrollment),
    fieldOf: (error) => (error instanceof ApiError && error.status === 422 ? 'code' : undefined),
  });
  return (
    <form {...sending.form} className="auth-form enroll">
      <FormAlert text={sending.alert} />
      <p>Scan this with an authenticator app, or open it on this phone.</p>
      <QrCode svg={qr_code} />
      <p>
        <a href={uri}>Open in an app on this device</a>
      </p>
      <p>
        Or type this secret: <code className="secret">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <TextField
        name="code"
        label="Six-digit code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        error={sending.messages.code}
      />
      <div className="actions">
        <Button type="submit" look="ink" disabled={sending.sending}>
          Turn it on
        </Button>
        {cancel ? (
          <Button look="quiet" onClick={cancel}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** How the names of this screen's factors begin. */
const named = 'Authenticator ';

/** Names must differ; the moment does. */
function nameNow(): string {
  return `${named}${new Date().toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium' })}`;
}
