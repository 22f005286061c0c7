// The account page: name and signature, password, email, second factor, sessions.
import { useEffect } from 'react';
import { currentUser } from '../../api/auth';
import { useAuth, useSession } from '../session/provider';
import { Heading } from '../ui/heading';
import { EmailChange } from './email-change';
import { Factors } from './factors';
import { PasswordChange } from './password-change';
import { Profile } from './profile';
import { PushDevices } from './push-devices';
import { Sessions } from './sessions';

export function Account() {
  const { manager } = useAuth();
  const { user } = useSession();
  // The stored user may be older than a change on another device.
  useEffect(() => {
    manager.reloadUser(currentUser).catch(() => {});
  }, [manager]);
  return (
    <div className="account">
      <Heading>Account</Heading>
      <p className="muted">{user.email}</p>
      <Profile />
      <PasswordChange />
      <EmailChange />
      <Factors />
      <PushDevices />
      <Sessions />
    </div>
  );
}
