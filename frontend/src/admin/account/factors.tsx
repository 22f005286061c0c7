// The second factor: its state, setup, new recovery codes, removal.
import { useState } from 'react';
import { createRecoveryCodes, currentUser, type Factor, removeFactor } from '../../api/auth';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { dateTime } from '../requests/format';
import { useAuth, useSession } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { useAttempt } from '../ui/use-attempt';
import { EnrollFactor } from './enroll-factor';

export function Factors() {
  const { manager, showRecoveryCodes } = useAuth();
  const factors = (useSession().user.factors ?? []).filter(({ status }) => status === 'verified');
  const [enrolling, setEnrolling] = useState(false);
  const { alert, attempt } = useAttempt();

  const remove = (factor: Factor) =>
    attempt(async () => {
      await manager.withToken(removeFactor, factor.id);
      await manager.renew();
      await manager.reloadUser(currentUser);
      toast({ title: 'Second factor removed' });
    });

  const newCodes = () =>
    attempt(async () => {
      showRecoveryCodes((await manager.withToken(createRecoveryCodes)).codes);
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
                <span className="muted">{` since ${dateTime(factor.created_at)}`}</span>
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
        <EnrollFactor done={() => setEnrolling(false)} cancel={() => setEnrolling(false)} />
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
