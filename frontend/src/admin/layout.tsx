// Layout of the admin views: navigation, the signed-in user, sign-out, the alarm. It stays while
// the user goes from one view to another.
import { type ReactNode, useEffect } from 'react';
import { readProfile } from '../api/inbox';
import { onClockChange } from '../api/server-clock';
import { company } from '../company';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';
import { watchToasts } from '../ui/toast-place';
import { AlarmLine } from './alarm/alarm-line';
import { AlarmProvider } from './alarm/alarm-provider';
import { CommandList } from './commands/command-list';
import { LiveProvider } from './live/live-provider';
import { formatDeskUrl, parseDeskUrl } from './requests/desk-url';
import { personName } from './requests/format';
import { useAuth } from './session/provider';
import { useRead } from './session/use-read';
import { ConfirmIdentity } from './sign-in/confirm-identity';
import { Alert } from './ui/auth-card';
import { useCurrentInView } from './ui/use-current-in-view';
import { OfflineNotice } from './ui/waiting';

/** Path, name, and whether only admins see it. */
const sections = [
  ['requests', '/admin', 'Requests', false],
  ['offers', '/admin/offers', 'Offers', false],
  ['on-call', '/admin/on-call', 'On call', false],
  ['figures', '/admin/figures', 'Figures', true],
  ['site', '/admin/site', 'Site', true],
  ['users', '/admin/users', 'Users', true],
  ['account', '/admin/account', 'Account', false],
] as const;

export type AdminSection = (typeof sections)[number][0];

type Props = { here: AdminSection; search: string; children: ReactNode };

export function AdminLayout(props: Props) {
  return (
    <LiveProvider>
      <AlarmProvider>
        <Frame {...props} />
      </AlarmProvider>
    </LiveProvider>
  );
}

function Frame({ here, search, children }: Props) {
  const { user, isAdmin, notice, setNotice, signOut } = useAuth();
  const shown = sections.filter(([, , , forAdmins]) => isAdmin || !forAdmins);
  // Where this fails, the address says who it is.
  const name = useRead(readOwnName, user?.id, here).found;
  useEffect(() => watchToasts(), []);
  useEffect(() => onClockChange(tellClock), []);
  // Beside the list that is shown, if one is.
  const list = parseDeskUrl(here === 'requests' ? search : '');
  return (
    <div className="admin desk">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="desk-header">
        <a className="desk-home" href="/">
          {company.name}
        </a>
        <nav aria-label="Admin" ref={useCurrentInView()}>
          {shown.map(([section, href, name]) => (
            <a key={section} href={href} aria-current={section === here ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span className="desk-who" title={user?.email}>
          {user ? personName({ ...user, name }) : ''}
        </span>
        <Button look="line" onClick={signOut}>
          Sign Out
        </Button>
      </header>
      <AlarmLine hrefOf={(request) => formatDeskUrl({ ...list, request })} />
      <main id="main">
        {notice ? <Alert {...notice} close={() => setNotice(undefined)} /> : null}
        {children}
        {here === 'requests' ? null : <OfflineNotice />}
      </main>
      <CommandList pages={shown.map(([, href, name]) => ({ href, name }))} />
      <ConfirmIdentity />
    </div>
  );
}

/** Says once that the clock of this computer is wrong; times are counted by the server's. */
function tellClock(fault: string) {
  if (!fault) return;
  const title = `The clock of this computer is ${fault}`;
  toast({ title, detail: 'The desk counts by the server’s clock.', neutral: true, duration: 20_000 });
}

/** Read again for another user, and on another page, where the name may be changed. */
const readOwnName = async (token: string, _user: string | undefined, _here: string) =>
  (await readProfile(token)).name;
