// The sign-in form. Its rules and texts are in seeds/forms/sign-in.json.

import rules from '@seeds/forms/sign-in.json';
import { useEffect, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import { signInWithPassword, startSso } from '../../api/auth';
import { company } from '../../company';
import { type FormRules, validate } from '../../forms/rules';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { clearVerifier, saveVerifier } from '../session/auth-callback';
import { useAuth } from '../session/provider';
import { AuthCard } from '../ui/auth-card';
import { TextField } from '../ui/field';
import { errorMessage, required, SubmitForm, useSubmit } from '../ui/use-submit';

const form: FormRules = rules;
const { failed, unexpected, sent } = rules.outcomes;

/** Shows the welcome toast, after the second factor if there is one. */
export function showWelcome() {
  toast(sent);
}

export function SignIn() {
  const { manager, notice } = useAuth();
  /** How long to wait, after too many wrong passwords, also of strangers. */
  const [wait, setWait] = useState('');
  const sending = useSubmit({
    check: (values) => validate(form, values).errors,
    send: async (typed) => {
      const { email = '', password = '' } = validate(form, typed).values;
      const session = await signInWithPassword(email, password);
      manager.setSession(session, 'SIGNED_IN');
      const second = session.user.factors?.some(({ status }) => status === 'verified');
      if (!second) showWelcome();
    },
    failed: (error) => {
      const isLimited = error instanceof ApiError && error.status === 429;
      setWait(isLimited ? errorMessage(error) : '');
      const answered = error instanceof ApiError && !error.transient;
      toast({
        ...(answered ? { title: failed.title, detail: errorMessage(error) } : unexpected),
        destructive: true,
      });
      document.getElementById('password')?.focus();
    },
  });
  const { messages } = sending;
  return (
    <AuthCard title="Sign in" notice={notice}>
      <form {...sending.form} className="auth-form">
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          // After the end of a session the next letters are still those of a form of the desk.
          focus={!notice}
          error={messages.email}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          error={messages.password}
        />
        <Button type="submit" wide disabled={sending.sending}>
          {sending.sending ? 'Signing in...' : 'Sign In'}
        </Button>
      </form>
      {wait ? (
        <p className="alert" role="status">
          {wait} Somebody may have tried to guess your password.{' '}
          <a href="/admin?view=forgotten">Sign in at once by a link that we email you</a>
        </p>
      ) : null}
      <p>
        <a href="/admin?view=forgotten">Forgot your password?</a>
      </p>
      {company.sso && <CompanySignIn />}
    </AuthCard>
  );
}

/**
 * Sign-in through a company's identity provider, chosen by email domain; the provider redirects
 * back with a code.
 */
function CompanySignIn() {
  useEffect(() => {
    // The browser restored this page from its back/forward cache: the sign-in was given up.
    const shown = ({ persisted }: PageTransitionEvent) => persisted && clearVerifier();
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
  const sending = useSubmit({
    check: required('domain'),
    send: async (values) => {
      const verifier = random();
      const { url } = await startSso(domainOf(values.domain ?? ''), await challenge(verifier));
      saveVerifier(verifier);
      location.assign(url);
    },
    fieldOf: (error) => (hasErrorCode(error, 'sso_provider_not_found') ? 'domain' : undefined),
  });
  return (
    <details className="auth-other">
      <summary>Use your company account</summary>
      <SubmitForm of={sending} submit="Continue" look="line" wide>
        <TextField
          name="domain"
          label="Your company’s domain"
          hint="As in company.com"
          autoComplete="off"
          autocapitalize="none"
          spellcheck={false}
          error={sending.messages.domain}
        />
      </SubmitForm>
    </details>
  );
}

/** The part after the last @, or the whole text if it is only a domain. The server ignores case. */
function domainOf(typed: string): string {
  return typed.trim().split('@').at(-1) ?? '';
}

/** A random PKCE verifier of 43 characters (RFC 7636 section 4.1). */
function random(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challenge(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
