// Setting up an authenticator app: scan or type, prove it with a code. Recovery codes follow.
import { useEffect, useRef, useState } from 'react';
import {
  currentUser,
  type Enrolment,
  enrolFactor,
  makeRecoveryCodes,
  removeFactor,
  verifyFactor,
} from '../../api/auth';
import { Refusal, refusedWith } from '../../api/call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { TextField } from '../field';
import { useAuth } from '../session/provider';
import { inWords, required, useSend } from '../use-send';
import { QrCode } from './qr-code';

/** Without `cancel` there is no way around it. */
export function Enrol({ done, cancel }: { done(): void; cancel?(): void }) {
  const { keeper, showCodes } = useAuth();
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [alert, setAlert] = useState('');
  const [round, setRound] = useState(0);
  const proved = useRef(false);

  useEffect(() => {
    let begun: Enrolment | undefined;
    let left = false;
    const drop = () => {
      if (!begun || proved.current) return;
      const { id } = begun;
      keeper.authorised((token) => removeFactor(token, id)).catch(() => {});
    };
    keeper.authorised(begin).then(
      (answer) => {
        begun = answer;
        if (left) drop();
        else setEnrolment(answer);
      },
      (error) => setAlert(inWords(error)),
    );
    return () => {
      left = true;
      drop();
    };
  }, [keeper, round]);

  async function proven(code: string, { id }: Enrolment) {
    setAlert('');
    const session = await keeper
      .authorised((token) => verifyFactor(token, id, code.replace(/\D/g, '')))
      .catch((error) => {
        if (!refusedWith(error, 'mfa_factor_not_found')) throw error;
      });
    if (!session) {
      // It has waited too long, or the screen was opened again elsewhere.
      setAlert('That code has expired. Please scan this new one.');
      setEnrolment(undefined);
      setRound(round + 1);
      return;
    }
    proved.current = true;
    keeper.accept(session, 'MFA_CHALLENGE_VERIFIED');
    toast({ title: 'Second factor set up' });
    keeper.authorised(currentUser).then(keeper.updateUser, () => {});
    // Without them the factor stands all the same; the account page makes them at any time.
    const made = await keeper.authorised(makeRecoveryCodes).catch(() => undefined);
    showCodes(made?.codes);
    done();
  }

  if (!enrolment) return <FormAlert text={alert} />;
  return (
    <>
      <FormAlert text={alert} />
      <Prove key={enrolment.id} enrolment={enrolment} proven={proven} cancel={cancel} />
    </>
  );
}

/** Begins a factor, in the place of those that this screen has begun and never proved. */
async function begin(token: string): Promise<Enrolment> {
  const { factors = [] } = await currentUser(token);
  const ours = factors.filter(
    ({ status, friendly_name }) => status === 'unverified' && friendly_name.startsWith(named),
  );
  await Promise.allSettled(ours.map(({ id }) => removeFactor(token, id)));
  return enrolFactor(token, nameNow());
}

type ProveProps = {
  enrolment: Enrolment;
  proven(code: string, enrolment: Enrolment): Promise<void>;
  cancel: (() => void) | undefined;
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
