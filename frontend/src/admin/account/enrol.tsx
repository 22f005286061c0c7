// Setting up an authenticator app: scan or type, prove it with a code, write down the recovery codes.
import { useEffect, useState } from 'react';
import { currentUser, type Enrolment, enrolFactor, makeRecoveryCodes, verifyFactor } from '../../api/auth';
import { Refusal } from '../../api/call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { TextField } from '../field';
import { useAuth } from '../session/provider';
import { inWords, required, useSend } from '../use-send';
import { QrCode } from './qr-code';
import { RecoveryCodes } from './recovery-codes';

export function Enrol({ done }: { done: () => void }) {
  const { keeper } = useAuth();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [alert, setAlert] = useState('');
  const [codes, setCodes] = useState<string[]>();

  useEffect(() => {
    keeper
      .authorised((token) => enrolFactor(token, nameNow()))
      .then(setEnrolment, (error) => setAlert(inWords(error)));
  }, [keeper]);

  async function proven(code: string, { id }: Enrolment) {
    const session = await keeper.authorised((token) => verifyFactor(token, id, code.replace(/\D/g, '')));
    const made = await makeRecoveryCodes(session.access_token).catch(() => undefined);
    toast({ title: 'Second factor set up' });
    if (made) setCodes(made.codes);
    // Only now: a new level may draw another view in the place of this one.
    keeper.accept(session, 'MFA_CHALLENGE_VERIFIED');
    keeper.authorised(currentUser).then(keeper.updateUser, () => {});
    if (!made) done();
  }

  if (codes) return <RecoveryCodes codes={codes} done={done} />;
  if (!enrolment) return <FormAlert text={alert} />;
  return <Prove enrolment={enrolment} proven={proven} cancel={done} />;
}

type ProveProps = {
  enrolment: Enrolment;
  proven(code: string, enrolment: Enrolment): Promise<void>;
  cancel(): void;
};

function Prove({ enrolment, proven, cancel }: ProveProps) {
  const { secret, qr_code, uri } = enrolment.totp;
  const sending = useSend({
    check: required('code'),
    send: ({ code = '' }) => proven(code, enrolment),
    fieldOf: (error) => (error instanceof Refusal && error.status === 422 ? 'code' : undefined),
  });
  return (
    <form {...sending.form} className="door-form enrol">
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
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Names must differ; the moment does. */
function nameNow(): string {
  return `Authenticator ${new Date().toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium' })}`;
}
