// The company demands a second factor of every admin, and this one has none yet.

import { Button } from '../../ui/button';
import { Enrol } from '../account/enrol';
import { useAuth } from '../session/provider';
import { DoorCard } from './card';

export function MustEnrol() {
  const { leave, check } = useAuth();
  return (
    <DoorCard title="Set up a second factor">
      <p>Every admin here signs in with a password and a code. Set up the code once, then go on.</p>
      <Enrol done={check} />
      <div className="actions">
        <Button look="quiet" onClick={leave}>
          Sign Out
        </Button>
      </div>
    </DoorCard>
  );
}
