// The admin page: which of its states is shown (specification section 2). The states are drawn by the files beside this one.
import type { PageProps } from '../routes';
import { Account } from './account/account';
import { People } from './account/people';
import { AccessDenied } from './door/access-denied';
import { Forgotten } from './door/forgotten';
import { MustEnrol } from './door/must-enrol';
import { NewPassword } from './door/new-password';
import { RecoveryCodes } from './door/recovery-codes';
import { SecondFactor } from './door/second-factor';
import { SignIn } from './door/sign-in';
import { Unreachable, Waiting } from './door/waiting';
import { Desk } from './frame';
import { Dashboard } from './queue/dashboard';
import { SessionProvider, useAuth } from './session/provider';
import './styles/index.css';

export default function AdminPage({ search }: PageProps) {
  return (
    <SessionProvider waiting={<Waiting />}>
      <State search={search} />
    </SessionProvider>
  );
}

function State({ search }: { search: string }) {
  const { isLoading, user, standing, codes } = useAuth();
  const view = new URLSearchParams(search).get('view');

  if (isLoading) return <Waiting />;
  if (!user) return view === 'forgotten' ? <Forgotten /> : <SignIn />;
  if (codes) return <RecoveryCodes codes={codes} />;
  if (standing === 'factor') return <SecondFactor />;
  if (view === 'new-password' || view === 'welcome') return <NewPassword invited={view === 'welcome'} />;
  switch (standing) {
    case 'unknown':
      return <Waiting />;
    case 'unreachable':
      return <Unreachable />;
    case 'enrol':
      return <MustEnrol />;
    case 'admin':
      return <Admin view={view} search={search} />;
    default:
      return <AccessDenied />;
  }
}

function Admin({ view, search }: { view: string | null; search: string }) {
  if (view === 'account') {
    return (
      <Desk here="account">
        <Account />
      </Desk>
    );
  }
  if (view === 'people') {
    return (
      <Desk here="people">
        <People />
      </Desk>
    );
  }
  return (
    <Desk here="requests">
      <Dashboard search={search} />
    </Desk>
  );
}
