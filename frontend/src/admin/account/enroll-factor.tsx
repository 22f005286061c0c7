// Sets up an authenticator app: scan or type the secret, verify it with a code. Recovery codes
// follow.

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
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { CodeField } from '../ui/field';
import { errorMessage, required, useSubmit } from '../ui/use-submit';

/** Without `cancel` the user cannot skip it. */
export function EnrollFactor({ done, cancel }: { done(): void; cancel?(): void }) {
  const { manager, showRecoveryCodes } = useAuth();
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const [alert, setAlert] = useState('');
  const [round, setRound] = useState(0);
  const verified = useRef(false);

  useEffect(() => {
    let started: Enrollment | undefined;
    let left = false;
    const drop = () => {
      if (!started || verified.current) return;
      const { id } = started;
      manager.withToken(removeFactor, id).catch(() => {});
    };
    manager.withToken(start).then(
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

  async function verify(code: string, { id }: Enrollment) {
    setAlert('');
    const session = await manager.withToken(verifyFactor, id, code.replace(/\D/g, '')).catch((error) => {
      if (!hasErrorCode(error, 'mfa_factor_not_found')) throw error;
    });
    if (!session) {
      // The enrollment has expired, or this screen was opened in another tab.
      setAlert('That code has expired. Please scan this new one.');
      setEnrollment(undefined);
      setRound(round + 1);
      return;
    }
    verified.current = true;
    manager.setSession(session, 'MFA_CHALLENGE_VERIFIED');
    toast({ title: 'Second factor set up' });
    manager.reloadUser(currentUser).catch(() => {});
    // The factor is active even if this fails; the account page can create codes later.
    const made = await manager.withToken(createRecoveryCodes).catch(() => undefined);
    showRecoveryCodes(made?.codes);
    done();
  }

  if (!enrollment) return <FormAlert text={alert} />;
  return (
    <>
      <FormAlert text={alert} />
      <VerifyForm key={enrollment.id} enrollment={enrollment} verify={verify} cancel={cancel} />
    </>
  );
}

/** Starts an enrollment and removes unverified ones that this screen started before. */
async function start(token: string): Promise<Enrollment> {
  const { factors = [] } = await currentUser(token);
  const ours = factors.filter(
    ({ status, friendly_name }) => status === 'unverified' && friendly_name.startsWith(namePrefix),
  );
  await Promise.allSettled(ours.map(({ id }) => removeFactor(token, id)));
  return enrollFactor(token, newName());
}

type VerifyFormProps = {
  enrollment: Enrollment;
  verify(code: string, enrollment: Enrollment): Promise<void>;
  cancel: (() => void) | undefined;
};

function VerifyForm({ enrollment, verify, cancel }: VerifyFormProps) {
  const { secret, qr_code, uri } = enrollment.totp;
  const sending = useSubmit({
    check: required('code'),
    send: ({ code = '' }) => verify(code, enrollment),
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
      <CodeField name="code" label="Six-digit code from the app" error={sending.messages.code} />
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

/** Prefix of the names of factors that this screen creates. */
const namePrefix = 'Authenticator ';

/** Names must be unique, so they contain the time. */
function newName(): string {
  return `${namePrefix}${new Date().toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium' })}`;
}

// The QR code of an enrollment. The server sends SVG; shown as an image it cannot run scripts.
function QrCode({ svg }: { svg: string }) {
  return (
    <img
      className="qr"
      width="200"
      height="200"
      alt="QR code that holds the secret below"
      src={`data:image/svg+xml;utf-8,${svg.includes('%23') ? svg : encodeURIComponent(svg)}`}
    />
  );
}
