// Shown when the company requires a second factor and this admin has none yet.

import { Button } from '../../ui/button';
import { EnrollFactor } from '../account/enroll-factor';
import { useAuth } from '../session/provider';
import { AuthCard } from '../ui/auth-card';

export function RequireEnrollment() {
  const { signOut, recheckAccess } = useAuth();
  return (
    <AuthCard title="Set up a second factor">
      <p>Every admin here signs in with a password and a code. Set up the code once, then go on.</p>
      <EnrollFactor done={recheckAccess} />
      <div className="actions">
        <Button look="quiet" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthCard>
  );
}
