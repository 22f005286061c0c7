// Signed in, but not admin (specification section 2).
import { Button, ButtonLink } from '../../ui/button';
import { useAuth } from '../session/provider';
import { AuthCard } from '../ui/auth-card';

export function AccessDenied() {
  const { user, signOut } = useAuth();
  return (
    <AuthCard title="Access Denied">
      <p>You don't have admin privileges to access this page</p>
      <p className="muted">{`You are signed in as ${user?.email}.`}</p>
      <div className="actions">
        <ButtonLink href="/">Return to Home</ButtonLink>
        <Button look="line" onClick={signOut}>
          Sign Out
        </Button>
      </div>
    </AuthCard>
  );
}
