// The centered card of all views before the dashboard.
import type { ReactNode } from 'react';
import { company } from '../../company';
import { Icon } from '../../ui/icon';
import { Heading } from './heading';

/** A text above the form: an `error` needs action, a `message` is information. */
export type Notice = { kind: 'error' | 'message'; text: string };

export function AuthCard({
  title,
  notice,
  children,
}: {
  title: string;
  notice?: Notice | undefined;
  children: ReactNode;
}) {
  return (
    <main id="main" className="admin auth">
      <a className="auth-home" href="/">
        {company.name}
      </a>
      <div className="auth-card">
        <Heading>{title}</Heading>
        {notice ? <Alert {...notice} /> : null}
        {children}
      </div>
    </main>
  );
}

/** A notice that stays until it is resolved, or until it is closed if it can be. */
export function Alert({ kind, text, close }: Notice & { close?: () => void }) {
  return (
    <div className={kind === 'error' ? 'alert alert-error' : 'alert'}>
      <p role={kind === 'error' ? 'alert' : 'status'}>{text}</p>
      {close ? (
        <button type="button" className="toast-close" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      ) : null}
    </div>
  );
}

/** The error of a whole form, announced to screen readers. */
export function FormAlert({ text }: { text: string }) {
  return (
    <div role="alert" className={text ? 'form-alert' : undefined}>
      {text}
    </div>
  );
}
