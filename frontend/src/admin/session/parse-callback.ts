// Parses the URL that an email link or an identity provider leads back to: a session, an error or a
// message in the fragment, or a code in the query. Read once, then removed from the address bar and
// the history.
import type { Session } from '../../api/auth';

/** Age in seconds at which a session in a URL causes a warning (specification section 9). */
const maxAge = 120;

export type AuthCallback =
  | { kind: 'session'; session: Omit<Session, 'user'>; type: string }
  | { kind: 'code'; code: string }
  | { kind: 'error'; code: string; message: string }
  | { kind: 'message'; message: string };

/** Parses a URL; `undefined` if it is not a callback. */
export function parseCallback(url: URL, now: number): AuthCallback | undefined {
  const fragment = new URLSearchParams(url.hash.slice(1));
  const param = (name: string) => fragment.get(name) ?? url.searchParams.get(name) ?? '';
  const access_token = fragment.get('access_token');
  const refresh_token = fragment.get('refresh_token');
  if (access_token && refresh_token) {
    return {
      kind: 'session',
      session: { access_token, refresh_token, token_type: 'bearer', aal: 'aal1', ...lifetime(fragment, now) },
      type: fragment.get('type') ?? '',
    };
  }
  if (param('error') || param('error_code')) {
    const message = param('error_description') || 'This link did not work.';
    return { kind: 'error', code: param('error_code'), message };
  }
  if (fragment.get('message')) return { kind: 'message', message: fragment.get('message') ?? '' };
  const code = url.searchParams.get('code');
  return code ? { kind: 'code', code } : undefined;
}

/** Path and query of the URL without the callback's parameters. */
export function stripCallback(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of ['code', 'error', 'error_code', 'error_description']) query.delete(name);
  const rest = query.toString();
  return url.pathname + (rest ? `?${rest}` : '');
}

function lifetime(fragment: URLSearchParams, now: number) {
  const expires_in = Number(fragment.get('expires_in')) || 3600;
  const expires_at = Number(fragment.get('expires_at')) || Math.floor(now / 1000) + expires_in;
  const age = Math.floor(now / 1000) - (expires_at - expires_in);
  if (age >= maxAge)
    console.warn(`The session in the address is ${age} seconds old. Was the link opened late?`);
  if (age < 0) console.warn('The session in the address is from the future. Is this clock right?');
  return { expires_in, expires_at };
}
