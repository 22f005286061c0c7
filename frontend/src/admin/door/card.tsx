// The card in the middle of the page that every view before the desk is drawn on.
import type { ReactNode } from 'react';
import { company } from '../../company';
import { Heading } from '../heading';
import type { Notice } from '../session/arrival';

export function DoorCard({
  title,
  notice,
  children,
}: {
  title: string;
  notice?: Notice | undefined;
  children: ReactNode;
}) {
  return (
    <main id="main" className="admin door">
      <a className="door-home" href="/">
        {company.name}
      </a>
      <div className="door-card">
        <Heading>{title}</Heading>
        {notice ? <Said {...notice} /> : null}
        {children}
      </div>
    </main>
  );
}

/** A text that stays until something is done about it. */
export function Said({ kind, text }: Notice) {
  return (
    <p className={kind === 'error' ? 'said said-error' : 'said'} role={kind === 'error' ? 'alert' : 'status'}>
      {text}
    </p>
  );
}

/** The refusal of a whole form, announced when it appears. */
export function FormAlert({ text }: { text: string }) {
  return (
    <div role="alert" className={text ? 'form-alert' : undefined}>
      {text}
    </div>
  );
}
