// Signing in through the company's own identity provider: the mail domain says which, the provider leads back with a code.
import { useEffect } from 'react';
import { hasErrorCode } from '../../api/admin-client';
import { startSso } from '../../api/auth';
import { Button } from '../../ui/button';
import { TextField } from '../field';
import { clearVerifier, saveVerifier } from '../session/pkce-verifier';
import { required, useSubmit } from '../use-submit';
import { FormAlert } from './auth-card';

export function CompanySignIn() {
  useEffect(() => {
    // Back from the provider to this very page, as the browser had set it aside.
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
      <form {...sending.form} className="auth-form">
        <FormAlert text={sending.alert} />
        <TextField
          name="domain"
          label="Your company’s domain"
          hint="As in company.com"
          autoComplete="off"
          autocapitalize="none"
          spellcheck={false}
          error={sending.messages.domain}
        />
        <Button type="submit" look="line" wide disabled={sending.sending}>
          Continue
        </Button>
      </form>
    </details>
  );
}

/** The part of an address after the last @, or the whole of it: people type their domain alone, too. The server folds its case. */
export function domainOf(typed: string): string {
  return typed.trim().split('@').at(-1) ?? '';
}

/** 43 characters nobody can guess (RFC 7636 section 4.1). */
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
