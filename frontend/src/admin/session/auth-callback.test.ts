// @vitest-environment happy-dom The result of a callback URL with a session, a code or an error.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ana } from '../testing/session-fixture';
import { type AuthCallback, completeCallback, saveVerifier } from './auth-callback';

const session = {
  access_token: 'v4.public.a.b',
  refresh_token: 'r',
  expires_in: 900,
  expires_at: 1_800_000_000,
  token_type: 'bearer',
  aal: 'aal1' as const,
};

let asked: { path: string; body: unknown; token: string | undefined }[];
let answer: [status: number, body: unknown];

beforeEach(() => {
  asked = [];
  answer = [200, ana];
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit) => {
    const token = (headers as Record<string, string>).Authorization;
    asked.push({ path, body: body ? JSON.parse(String(body)) : undefined, token });
    return new Response(JSON.stringify(answer[1]), { status: answer[0] });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function link(type: string): AuthCallback {
  return { kind: 'session', session, type };
}

it.each([
  ['recovery', 'PASSWORD_RECOVERY', 'new-password'],
  ['invite', 'SIGNED_IN', 'welcome'],
  ['magiclink', 'SIGNED_IN', undefined],
] as const)('a link of type %s means %s and opens %s', async (type, event, view) => {
  const result = await completeCallback(link(type));
  expect(result.signedIn).toEqual({ event, session: { ...session, user: ana } });
  expect(result.view).toBe(view);
  expect(asked).toEqual([{ path: '/auth/v1/user', body: undefined, token: 'Bearer v4.public.a.b' }]);
});

it('a link whose session has ended does not sign in and shows an error', async () => {
  answer = [403, { code: 'session_not_found', message: 'Session not found' }];
  const result = await completeCallback(link('recovery'));
  expect(result.signedIn).toBeUndefined();
  expect(result.notice).toEqual({ kind: 'error', text: 'Session not found' });
});

it('a provider’s code is exchanged with the verifier that was saved before the redirect', async () => {
  saveVerifier('the-secret');
  answer = [200, { ...session, user: ana }];
  const result = await completeCallback({ kind: 'code', code: 'abc' });
  expect(result.signedIn?.event).toBe('SIGNED_IN');
  expect(asked[0]).toMatchObject({
    path: '/auth/v1/token?grant_type=pkce',
    body: { auth_code: 'abc', code_verifier: 'the-secret' },
  });
});

it.each<[string, AuthCallback | undefined, [number, unknown]]>([
  ['is used', { kind: 'code', code: 'abc' }, [200, { ...session, user: ana }]],
  ['is refused', { kind: 'code', code: 'abc' }, [400, { code: 'bad_code_verifier', message: 'No' }]],
  ['ends in an error at the provider', { kind: 'error', code: '', message: 'No' }, [200, {}]],
  ['is given up for another link', link('magiclink'), [200, ana]],
  ['is given up', undefined, [200, {}]],
])('removes the verifier of a provider sign-in that %s', async (_, callback, answered) => {
  saveVerifier('the-secret');
  answer = answered;
  await completeCallback(callback);
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).toBe('[{},{}]');
  await completeCallback({ kind: 'code', code: 'again' });
  expect(asked.at(-1)?.body).toEqual({ auth_code: 'again', code_verifier: '' });
});

it('a used link is explained', async () => {
  const result = await completeCallback({
    kind: 'error',
    code: 'otp_expired',
    message: 'Email link is invalid',
  });
  expect(result.notice?.text).toBe('This link has been used or has expired. Ask for a new one.');
  expect(asked).toEqual([]);
});
