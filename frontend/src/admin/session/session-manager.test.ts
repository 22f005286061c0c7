// The session is restored without a request, used by calls, shared by all tabs and ended by a
// sign-out.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/admin-client';
import type { User } from '../../api/auth';
import { advance, ana, SessionFixture } from '../testing/session-fixture';

let fixture: SessionFixture;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T03:00:00Z') });
  fixture = new SessionFixture();
});

afterEach(() => {
  vi.useRealTimers();
});

const opened = (lifetime?: number) => fixture.opened(lifetime);

describe('restoring', () => {
  it('emits only INITIAL_SESSION when nothing is stored', async () => {
    const tab = fixture.tab();
    await tab.manager.start();
    expect(tab.events).toEqual(['INITIAL_SESSION']);
    expect(tab.manager.current()).toBeNull();
  });

  it('restores the stored session without a request', async () => {
    const tab = await opened();
    expect(tab.events).toEqual(['SIGNED_IN', 'INITIAL_SESSION']);
    expect(tab.manager.current()?.user).toEqual(ana);
    expect(fixture.receivedTokens).toEqual([]);
  });

  it('renews an expired session before INITIAL_SESSION', async () => {
    const tab = await opened(-10);
    expect(tab.events).toEqual(['TOKEN_REFRESHED', 'INITIAL_SESSION']);
    expect(fixture.stored()?.refresh_token).toBe('refresh-1');
  });

  it('keeps an expired session while offline, since it may still be renewed', async () => {
    fixture.faults.push(...Array<'offline'>(20).fill('offline'));
    fixture.store(fixture.session(-10));
    const tab = fixture.tab();
    const started = tab.manager.start();
    await advance(40);
    await started;
    expect(tab.events).toEqual(['INITIAL_SESSION']);
    expect(fixture.stored()?.refresh_token).toBe('refresh-0');
  });

  it.each(['{"access_token":1}', 'nonsense', 'null'])('treats %s in storage as no session', async (text) => {
    fixture.items.set('guardpost.session', text);
    const tab = fixture.tab();
    await tab.manager.start();
    expect(tab.manager.current()).toBeNull();
  });
});

describe('calls', () => {
  it('wait for a renewal only if the token has expired', async () => {
    const tab = await opened(95);
    await advance(10);
    expect(await tab.manager.withToken(async (token) => token)).toBe('access-0');
    await advance(1);
    expect(await tab.manager.withToken(async (token) => token)).toBe('access-1');
  });

  it('are repeated once with a new token when theirs is rejected', async () => {
    const tab = await opened();
    const used: string[] = [];
    const made = tab.manager.withToken(async (token) => {
      used.push(token);
      if (used.length === 1) throw new ApiError(403, 'bad_jwt', 'Invalid token');
      return 'done';
    });
    await advance(1);
    expect(await made).toBe('done');
    expect(used).toEqual(['access-0', 'access-1']);
  });

  it('sign out when the session was ended elsewhere', async () => {
    const tab = await opened();
    fixture.revoke();
    const made = tab.manager.withToken(async () => {
      throw new ApiError(401, '', 'Sign in first');
    });
    const failed = expect(made).rejects.toThrow('Auth session missing!');
    await advance(1);
    await failed;
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });

  it.each([
    [403, 'not_admin'],
    [401, 'insufficient_aal'],
    [503, ''],
  ])('leave the session alone on %i %s', async (status, code) => {
    const tab = await opened();
    const made = tab.manager.withToken(async () => {
      throw new ApiError(status, code, 'No');
    });
    await expect(made).rejects.toThrow('No');
    expect(tab.manager.current()).not.toBeNull();
    expect(fixture.receivedTokens).toEqual([]);
  });
});

describe('several tabs', () => {
  it('renew once for all of them', async () => {
    const first = await opened(200);
    const second = fixture.tab();
    await second.manager.start();
    await advance(121);
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
    expect(first.manager.current()).toEqual(second.manager.current());
    expect(second.events).toContain('TOKEN_REFRESHED');
  });

  it('end up with the same session even without locks', async () => {
    fixture.locks = false;
    const first = await opened(60);
    const second = fixture.tab();
    await second.manager.start();
    await advance(31);
    expect(first.manager.current()?.refresh_token).toBe('refresh-1');
    expect(second.manager.current()?.refresh_token).toBe('refresh-1');
    expect(fixture.stored()?.refresh_token).toBe('refresh-1');
  });

  it('sign in and out together', async () => {
    const first = fixture.tab();
    const second = fixture.tab();
    await first.manager.start();
    await second.manager.start();
    first.manager.setSession(fixture.session(), 'SIGNED_IN');
    expect(second.events.at(-1)).toBe('SIGNED_IN');
    await second.manager.signOut();
    expect(first.events.at(-1)).toBe('SIGNED_OUT');
    expect(first.manager.current()).toBeNull();
  });

  it('do not restore a session that another tab ended during a renewal', async () => {
    const tab = await opened();
    const renewed = tab.manager.renew();
    await advance(0.005);
    fixture.items.clear();
    await advance(1);
    expect(await renewed).toBeNull();
    expect(fixture.stored()).toBeNull();
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });

  it('notice at the next check that storage was cleared', async () => {
    const tab = await opened();
    fixture.items.clear();
    await advance(31);
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });
});

describe('signing out', () => {
  it('clears this browser at once and ends the session at the service', async () => {
    const tab = await opened();
    await tab.manager.signOut();
    expect(fixture.stored()).toBeNull();
    expect(fixture.ended).toEqual(['local access-0']);
  });

  it('everywhere stays signed in when the service failed', async () => {
    const tab = await opened();
    fixture.faults.push(503);
    await expect(tab.manager.signOut('global')).rejects.toThrow('Busy');
    expect(tab.manager.current()).not.toBeNull();
  });

  it('of the other sessions keeps this one', async () => {
    const tab = await opened();
    await tab.manager.signOut('others');
    expect(fixture.ended).toEqual(['others access-0']);
    expect(tab.manager.current()).not.toBeNull();
    expect(tab.events).not.toContain('SIGNED_OUT');
  });
});

it('broadcasts a changed user to all tabs', async () => {
  const tab = await opened();
  const other = fixture.tab();
  await other.manager.start();
  tab.manager.updateUser({ ...ana, email: 'ana.new@guardpost.example' });
  expect(other.events.at(-1)).toBe('USER_UPDATED');
  expect(other.manager.current()?.user.email).toBe('ana.new@guardpost.example');
  expect(fixture.stored()?.user.email).toBe('ana.new@guardpost.example');
});

it('keeps the tokens of another tab that has just renewed the session', async () => {
  const tab = await opened();
  fixture.store({ ...fixture.session(), access_token: 'access-1', refresh_token: 'refresh-1' });
  tab.manager.updateUser({ ...ana, email: 'ana.new@guardpost.example' });
  expect(fixture.stored()).toMatchObject({
    refresh_token: 'refresh-1',
    user: { email: 'ana.new@guardpost.example' },
  });
});

describe('an answer about the user is dropped', () => {
  const late = (user: User) => () =>
    new Promise<User>((answer) => {
      setTimeout(() => answer(user), 5000);
    });

  it('after the answer to a later question', async () => {
    const tab = await opened();
    tab.manager.reloadUser(late({ ...ana, email: 'old@guardpost.example' }));
    await tab.manager.reloadUser(async () => ({ ...ana, factors: [] }));
    await advance(6);
    expect(tab.manager.current()?.user).toEqual({ ...ana, factors: [] });
  });

  it('after a change of the user', async () => {
    const tab = await opened();
    tab.manager.reloadUser(late(ana));
    tab.manager.updateUser({ ...ana, email: 'new@guardpost.example' });
    await advance(6);
    expect(tab.manager.current()?.user.email).toBe('new@guardpost.example');
  });

  it('after a sign-in as another user', async () => {
    const tab = await opened();
    tab.manager.reloadUser(late(ana));
    await tab.manager.signOut();
    tab.manager.setSession({ ...fixture.session(), user: { ...ana, id: 'b' } }, 'SIGNED_IN');
    await advance(6);
    expect(tab.manager.current()?.user.id).toBe('b');
  });
});
