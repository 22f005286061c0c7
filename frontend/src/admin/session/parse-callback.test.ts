// What is parsed from the URL of an email link, and what remains of the URL.
import { afterEach, expect, it, vi } from 'vitest';
import { parseCallback, stripCallback } from './auth-callback';

const now = Date.parse('2026-11-21T03:00:00Z');
const seconds = now / 1000;

afterEach(() => {
  vi.restoreAllMocks();
});

function at(rest: string) {
  return new URL(`https://guardpost.example/admin${rest}`);
}

function session(issued: number, type = 'recovery') {
  return at(
    `#access_token=v4.public.a.b&expires_at=${issued + 900}&expires_in=900&refresh_token=r&token_type=bearer&type=${type}&sb=`,
  );
}

it('reads the session of a recovery link', () => {
  expect(parseCallback(session(seconds - 5), now)).toEqual({
    kind: 'session',
    type: 'recovery',
    session: {
      access_token: 'v4.public.a.b',
      refresh_token: 'r',
      token_type: 'bearer',
      aal: 'aal1',
      expires_in: 900,
      expires_at: seconds + 895,
    },
  });
});

it('warns when the session in the URL is 120 s old', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  parseCallback(session(seconds - 119), now);
  expect(warn).not.toHaveBeenCalled();
  parseCallback(session(seconds - 120), now);
  expect(warn).toHaveBeenCalledOnce();
});

it('reads the error of a used link', () => {
  const url = at(
    '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
  );
  expect(parseCallback(url, now)).toEqual({
    kind: 'error',
    code: 'otp_expired',
    message: 'Email link is invalid or has expired',
  });
});

it('reads the message of a half-confirmed email change', () => {
  expect(parseCallback(at('#message=Confirm+the+other+link'), now)).toEqual({
    kind: 'message',
    message: 'Confirm the other link',
  });
});

it('reads the code of a provider', () => {
  expect(parseCallback(at('?code=abc'), now)).toEqual({ kind: 'code', code: 'abc' });
});

it('finds nothing in an ordinary URL', () => {
  expect(parseCallback(at('?quote=1#main'), now)).toBeUndefined();
});

it('leaves the rest of the URL unchanged', () => {
  expect(stripCallback(at('?quote=1&code=abc#access_token=a'))).toBe('/admin?quote=1');
  expect(stripCallback(session(seconds))).toBe('/admin');
});
