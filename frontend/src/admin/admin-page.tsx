// The admin page: which of its states is shown (specification section 2). The states are drawn by
// the files beside this one.
import { type ReactNode, useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { PageEntry } from '../content/route-manifest';
import { Account } from './account/account';
import { useResubscribe } from './account/push-devices';
import { Users } from './account/users';
import { Dashboard } from './inbox/dashboard';
import { registerServiceWorker } from './install';
import { AdminLayout, type AdminSection } from './layout';
import { OnCall } from './on-call/on-call';
import { SessionProvider, useAuth } from './session/provider';
import { ForgotPassword } from './sign-in/forgot-password';
import { AccessDenied, Loading, RequireEnrollment, Unreachable } from './sign-in/loading';
import { NewPassword } from './sign-in/new-password';
import { RecoveryCodes } from './sign-in/recovery-codes';
import { SecondFactor } from './sign-in/second-factor';
import { SignIn } from './sign-in/sign-in';
import { SiteEditor } from './site/site-editor';
import { later } from './ui/later';
import { Unmatched } from './unmatched/unmatched';
import './styles/index.css';

const OffersView = later(() => import('./offers/list/offers-view'));
const FiguresView = later(() => import('./figures/figures'));
const Rates = later(() => import('./rates/rates'));

/** Views that are separate pages now: addresses in emails and bookmarks lead there. */
const moved = ['site', 'offers', 'users', 'account'];

/** Only admins see them. */
const forAdmins = ['admin-figures', 'admin-site', 'admin-rates', 'admin-users'];

export default function AdminPage({ page, search }: { page: PageEntry; search: string }) {
  useEffect(registerServiceWorker, []);
  return (
    <SessionProvider waiting={<Loading />}>
      <CurrentView search={search} pageKey={page.key} />
    </SessionProvider>
  );
}

type Props = { search: string; pageKey: string };

function CurrentView({ search, pageKey }: Props) {
  const { isLoading, user, accessLevel, recoveryCodes } = useAuth();
  const view = new URLSearchParams(search).get('view');

  if (isLoading) return <Loading />;
  if (!user) return view === 'forgotten' ? <ForgotPassword /> : <SignIn />;
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} />;
  if (accessLevel === 'factor') return <SecondFactor />;
  if (view === 'new-password' || view === 'welcome') return <NewPassword invited={view === 'welcome'} />;
  switch (accessLevel) {
    case 'unknown':
      return <Loading />;
    case 'unreachable':
      return <Unreachable />;
    case 'enroll':
      return <RequireEnrollment />;
    case 'admin':
    case 'dispatcher':
      return <Admin search={search} pageKey={pageKey} />;
    default:
      return <AccessDenied />;
  }
}

function Admin({ search, pageKey }: Props) {
  const { isAdmin } = useAuth();
  useResubscribe();
  const query = new URLSearchParams(search);
  const view = query.get('view') ?? '';
  const hasMoved = pageKey === 'admin' && moved.includes(view);
  useEffect(() => {
    if (!hasMoved) return;
    query.delete('view');
    navigate(`/admin/${view}${query.size ? `?${query}` : ''}${location.hash}`, { replace: true });
  }, [hasMoved]);
  if (hasMoved) return <Loading />;
  if (!isAdmin && forAdmins.includes(pageKey)) return <AccessDenied />;
  const [here, content] = shownView(pageKey, view, search);
  return (
    <AdminLayout here={here} search={search}>
      {content}
    </AdminLayout>
  );
}

function shownView(pageKey: string, view: string, search: string): [AdminSection, ReactNode] {
  if (pageKey === 'admin-on-call') return ['on-call', <OnCall />];
  if (pageKey === 'admin-figures') return ['figures', <FiguresView search={search} />];
  if (pageKey === 'admin-site') return ['site', <SiteEditor search={search} />];
  if (pageKey === 'admin-rates') return ['offers', <Rates />];
  if (pageKey === 'admin-offers') return ['offers', <OffersView search={search} />];
  if (pageKey === 'admin-account') return ['account', <Account />];
  if (pageKey === 'admin-users') return ['users', <Users />];
  if (view === 'unmatched') return ['requests', <Unmatched />];
  return ['requests', <Dashboard search={search} />];
}
