// The desk around the admin's views: where one is, who is signed in, the way out.
import type { ReactNode } from 'react';
import { company } from '../company';
import { Button } from '../ui/button';
import { Said } from './door/card';
import { useAuth } from './session/provider';

const places = [
  ['requests', '/admin', 'Requests'],
  ['people', '/admin?view=people', 'People'],
  ['account', '/admin?view=account', 'Account'],
] as const;

export type DeskPlace = (typeof places)[number][0];

export function Desk({ here, children }: { here: DeskPlace; children: ReactNode }) {
  const { user, notice, setNotice, leave } = useAuth();
  return (
    <div className="admin desk">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="desk-header">
        <a className="desk-home" href="/">
          {company.name}
        </a>
        <nav aria-label="Admin">
          {places.map(([place, href, name]) => (
            <a key={place} href={href} aria-current={place === here ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <span className="desk-who">{user?.email}</span>
        <Button look="line" onClick={leave}>
          Sign Out
        </Button>
      </header>
      <main id="main">
        {notice ? <Said {...notice} close={() => setNotice(undefined)} /> : null}
        {children}
      </main>
    </div>
  );
}
