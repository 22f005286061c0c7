// Sign-in through a company's identity provider, chosen by email domain; the provider redirects
// back with a code.
import { useEffect } from 'react';
import { hasErrorCode } from '../../api/admin-client';
import { startSso } from '../../api/auth';
import { clearVerifier, saveVerifier } from '../session/pkce-verifier';
import { TextField } from '../ui/field';
import { SubmitForm } from '../ui/submit-form';
import { required, useSubmit } from '../ui/use-submit';

export function CompanySignIn() {
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
