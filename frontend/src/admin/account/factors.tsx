// The second factor: what is set up, setting one up, new recovery codes, removing one.
import { useState } from 'react';
import { currentUser, type Factor, makeRecoveryCodes, removeFactor } from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from '../door/card';
import { useAuth, useSession } from '../session/provider';
import { inWords } from '../use-send';
import { Enrol } from './enrol';

export function Factors() {
  const { keeper, showCodes } = useAuth();
  const factors = (useSession().user.factors ?? []).filter(({ status }) => status === 'verified');
  const [enrolling, setEnrolling] = useState(false);
  const [alert, setAlert] = useState('');

  async function attempt(job: () => Promise<void>) {
    setAlert('');
    await job().catch((error) => setAlert(inWords(error)));
  }

  const remove = (factor: Factor) =>
    attempt(async () => {
      await keeper.authorised((token) => removeFactor(token, factor.id));
      await keeper.renew();
      keeper.updateUser(await keeper.authorised(currentUser));
      toast({ title: 'Second factor removed' });
    });

  const newCodes = () =>
    attempt(async () => {
      showCodes((await keeper.authorised(makeRecoveryCodes)).codes);
    });

  return (
    <section aria-labelledby="factor-title">
      <h2 id="factor-title">Second factor</h2>
      <FormAlert text={alert} />
      {factors.length === 0 ? (
        <p>
          Only your password guards this account. With a second factor, a code from your phone is asked for as
          well.
        </p>
      ) : (
        <ul className="things">
          {factors.map((factor) => (
            <li key={factor.id}>
              <span>
                <strong>{factor.friendly_name || 'Authenticator app'}</strong>
                <span className="muted">{` since ${day(factor.created_at)}`}</span>
              </span>
              <Button
                look="line"
                aria-label={`Remove ${factor.friendly_name || 'authenticator app'}`}
                onClick={() => remove(factor)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {enrolling ? (
        <Enrol done={() => setEnrolling(false)} cancel={() => setEnrolling(false)} />
      ) : (
        <div className="actions">
          <Button look="ink" onClick={() => setEnrolling(true)}>
            {factors.length === 0 ? 'Set up a second factor' : 'Add another'}
          </Button>
          {factors.length > 0 ? (
            <Button look="line" onClick={newCodes}>
              New recovery codes
            </Button>
          ) : null}
        </div>
      )}
    </section>
  );
}

export function day(at: string): string {
  return new Date(at).toLocaleDateString('en-US', { dateStyle: 'medium' });
}
