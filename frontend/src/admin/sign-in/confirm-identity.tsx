// Asks again who is at the computer: the server refuses erasing a person, exporting requests and
// publishing if the last sign-in is older than ten minutes. What was asked for is repeated
// afterwards.
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { confirmSession, reauthenticate, verifyFactor } from '../../api/auth';
import { Button } from '../../ui/button';
import { useAuth, useSession } from '../session/provider';
import { CodeField, TextField } from '../ui/field';
import { errorMessage, required, SubmitForm, useSubmit } from '../ui/use-submit';
import { FactorChoice, verifiedFactors } from './second-factor';

/** The proofs: the authenticator's code, the password, or an emailed code. */
type Way = 'code' | 'password' | 'nonce';

export function ConfirmIdentity() {
  const { identityCheck } = useAuth();
  return identityCheck ? <Prompt done={identityCheck.done} /> : null;
}

function Prompt({ done }: { done: (confirmed: boolean) => void }) {
  const { user } = useSession();
  const factors = verifiedFactors(user);
  const [way, setWay] = useState<Way>(factors.length > 0 ? 'code' : 'password');
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const others: Way[] = factors.length > 0 ? ['code', 'password', 'nonce'] : ['password', 'nonce'];
  return (
    <dialog ref={dialog} className="help" aria-labelledby="identity-title" onClose={() => done(false)}>
      <h2 id="identity-title">Confirm that it is you</h2>
      <p>
        Your last sign-in is more than ten minutes ago. After this, what you asked for is done, and nothing
        you typed is lost.
      </p>
      <Proof key={way} way={way} done={() => done(true)} />
      <div className="actions">
        {others
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} look="quiet" onClick={() => setWay(other)}>
              {names[other]}
            </Button>
          ))}
        <Button look="quiet" onClick={() => done(false)}>
          Cancel
        </Button>
      </div>
    </dialog>
  );
}

const names: Record<Way, string> = {
  code: 'Use the authenticator',
  password: 'Use the password',
  nonce: 'Email me a code',
};

function Proof({ way, done }: { way: Way; done: () => void }) {
  const { manager } = useAuth();
  const { user } = useSession();
  const factors = verifiedFactors(user);
  const [unsent, setUnsent] = useState('');
  useEffect(() => {
    if (way === 'nonce') manager.withToken(reauthenticate).catch((error) => setUnsent(errorMessage(error)));
  }, [manager, way]);
  const sending = useSubmit({
    check: required(way),
    send: async (values) => {
      const value = values[way] ?? '';
      if (way === 'code') {
        const factor = values.factor ?? factors[0]?.id ?? '';
        const session = await manager.withToken(verifyFactor, factor, value.replace(/\D/g, ''));
        manager.setSession(session, 'MFA_CHALLENGE_VERIFIED');
      } else {
        const proof = way === 'password' ? { password: value } : { nonce: value.trim() };
        await manager.withToken(confirmSession, proof);
      }
      done();
    },
    fieldOf: (error) => (error instanceof ApiError && [400, 422].includes(error.status) ? way : undefined),
  });
  return (
    <SubmitForm of={{ ...sending, alert: sending.alert || unsent }} submit="Continue" look="ink">
      <input type="hidden" name="username" autoComplete="username" value={user.email} />
      {way === 'code' && factors.length > 1 ? <FactorChoice factors={factors} /> : null}
      {way === 'password' ? (
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          error={sending.messages.password}
        />
      ) : (
        <CodeField
          key={way}
          name={way}
          label={way === 'code' ? 'Six-digit code' : 'Code from your mail'}
          {...(way === 'nonce' ? { hint: `We send it to ${user.email}.` } : {})}
          error={sending.messages[way]}
        />
      )}
    </SubmitForm>
  );
}
