// The session's promises: restored without asking, renewed in time, never dropped without a definite refusal, one among all tabs.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/admin-client';
import { advance, ana, SessionFixture } from '../testing/session-fixture';

let fixture: SessionFixture;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T03:00:00Z') });
  fixture = new SessionFixture();
});

afterEach(() => {
  vi.useRealTimers();
});

async function opened(lifetime = 900) {
  fixture.store(fixture.session(lifetime));
  const tab = fixture.tab();
  const started = tab.manager.start();
  await advance(0.1);
  await started;
  return tab;
}

describe('restoring', () => {
  it('tells that nobody is signed in where nothing is stored', async () => {
    const tab = fixture.tab();
    await tab.manager.start();
    expect(tab.events).toEqual(['INITIAL_SESSION']);
    expect(tab.manager.current()).toBeNull();
  });

  it('gives the stored session at once, without asking the service', async () => {
    const tab = await opened();
    expect(tab.events).toEqual(['SIGNED_IN', 'INITIAL_SESSION']);
    expect(tab.manager.current()?.user).toEqual(ana);
    expect(fixture.receivedTokens).toEqual([]);
  });

  it('renews an expired session before it tells anybody', async () => {
    const tab = await opened(-10);
    expect(tab.events).toEqual(['TOKEN_REFRESHED', 'INITIAL_SESSION']);
    expect(fixture.stored()?.refresh_token).toBe('refresh-1');
  });

  it('keeps an expired session when the network is away, for it may still be good', async () => {
    fixture.faults.push(...Array<'offline'>(20).fill('offline'));
    fixture.store(fixture.session(-10));
    const tab = fixture.tab();
    const started = tab.manager.start();
    await advance(40);
    await started;
    expect(tab.events).toEqual(['INITIAL_SESSION']);
    expect(fixture.stored()?.refresh_token).toBe('refresh-0');
  });

  it.each(['{"access_token":1}', 'nonsense', 'null'])('takes %s in storage for nobody', async (text) => {
    fixture.items.set('guardpost.session', text);
    const tab = fixture.tab();
    await tab.manager.start();
    expect(tab.manager.current()).toBeNull();
  });
});

describe('renewing', () => {
  it('looks every 30 s and renews when 90 s or less remain', async () => {
    const tab = await opened(151);
    await advance(59);
    expect(fixture.receivedTokens).toEqual([]);
    await advance(2);
    expect(fixture.receivedTokens).toEqual([]);
    await advance(30);
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
    expect(tab.events.at(-1)).toBe('TOKEN_REFRESHED');
  });

  it('does not look while hidden, and looks at once when shown', async () => {
    const tab = await opened(200);
    tab.show(false);
    await advance(600);
    expect(fixture.receivedTokens).toEqual([]);
    tab.show(true);
    await advance(0.1);
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
  });

  it('tries again after 200 ms and then twice as long each time', async () => {
    const tab = await opened(80);
    fixture.faults.length = 0;
    fixture.receivedTokens.length = 0;
    fixture.faults.push(503, 502, 504);
    const renewed = tab.manager.renew();
    await advance(0.2);
    expect(fixture.receivedTokens).toHaveLength(1);
    await advance(0.02);
    expect(fixture.receivedTokens).toHaveLength(2);
    await advance(0.41);
    expect(fixture.receivedTokens).toHaveLength(3);
    await advance(0.81);
    expect(fixture.receivedTokens).toHaveLength(4);
    await advance(0.1);
    expect((await renewed)?.refresh_token).toBe('refresh-2');
  });

  it('gives up within 30 s, keeps the session, and rests a minute before it begins again', async () => {
    fixture.faults.push(...Array<'offline'>(40).fill('offline'));
    const tab = await opened(60);
    await advance(29);
    const tried = fixture.receivedTokens.length;
    expect(tried).toBeGreaterThan(5);
    await advance(50);
    expect(fixture.receivedTokens).toHaveLength(tried);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-0');
    fixture.faults.length = 0;
    await advance(60);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-1');
  });

  it('begins again at once when the network comes back', async () => {
    fixture.faults.push(...Array<'offline'>(40).fill('offline'));
    const tab = await opened(60);
    await advance(31);
    fixture.faults.length = 0;
    tab.online();
    await advance(0.1);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-1');
  });

  it('survives an answer that was lost on the way', async () => {
    fixture.faults.push('lost');
    const tab = await opened(60);
    await advance(1);
    expect(fixture.receivedTokens).toEqual(['refresh-0', 'refresh-0']);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-1');
  });

  it('keeps the session when asked to wait (429), and does not hammer', async () => {
    fixture.faults.push(429);
    const tab = await opened(60);
    await advance(5);
    expect(fixture.receivedTokens).toHaveLength(1);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-0');
  });

  it('drops the session when the token was stolen', async () => {
    fixture.steal();
    fixture.store({ ...fixture.session(60), refresh_token: 'refresh-0' });
    const tab = fixture.tab();
    await tab.manager.start();
    await advance(1);
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
    expect(fixture.stored()).toBeNull();
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
  });

  it('measures the end by this clock, however wrong it is', async () => {
    const tab = await opened();
    const hourAhead = Math.floor(Date.now() / 1000) - 3600;
    tab.manager.setSession({ ...fixture.session(), expires_at: hourAhead + 900 }, 'SIGNED_IN');
    await advance(120);
    expect(fixture.receivedTokens).toEqual([]);
  });
});

describe('calls', () => {
  it('wait for a renewal only when the token has ended', async () => {
    const tab = await opened(95);
    await advance(10);
    expect(await tab.manager.withToken(async (token) => token)).toBe('access-0');
    await advance(1);
    expect(await tab.manager.withToken(async (token) => token)).toBe('access-1');
  });

  it('are made once more with a new token when theirs is refused', async () => {
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

  it('sign out when the session has been ended elsewhere', async () => {
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
  it('renew once among them', async () => {
    const first = await opened(200);
    const second = fixture.tab();
    await second.manager.start();
    await advance(121);
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
    expect(first.manager.current()).toEqual(second.manager.current());
    expect(second.events).toContain('TOKEN_REFRESHED');
  });

  it('come to agree even where they cannot wait for each other', async () => {
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

  it('do not bring back a session that another tab ended while a renewal was under way', async () => {
    const tab = await opened();
    const renewed = tab.manager.renew();
    await advance(0.005);
    fixture.items.clear();
    await advance(1);
    expect(await renewed).toBeNull();
    expect(fixture.stored()).toBeNull();
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });

  it('notice on the next look that storage was cleared', async () => {
    const tab = await opened();
    fixture.items.clear();
    await advance(31);
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });
});

describe('signing out', () => {
  it('forgets here at once, and tells the service', async () => {
    const tab = await opened();
    await tab.manager.signOut();
    expect(fixture.stored()).toBeNull();
    expect(fixture.ended).toEqual(['local access-0']);
  });

  it('everywhere stays signed in when the service could not do it', async () => {
    const tab = await opened();
    fixture.faults.push(503);
    await expect(tab.manager.signOut('global')).rejects.toThrow('Busy');
    expect(tab.manager.current()).not.toBeNull();
  });

  it('of the others keeps this session', async () => {
    const tab = await opened();
    await tab.manager.signOut('others');
    expect(fixture.ended).toEqual(['others access-0']);
    expect(tab.manager.current()).not.toBeNull();
    expect(tab.events).not.toContain('SIGNED_OUT');
  });
});

it('tells when the user has changed, here and in the other tabs', async () => {
  const tab = await opened();
  const other = fixture.tab();
  await other.manager.start();
  tab.manager.updateUser({ ...ana, email: 'ana.new@guardpost.example' });
  expect(other.events.at(-1)).toBe('USER_UPDATED');
  expect(other.manager.current()?.user.email).toBe('ana.new@guardpost.example');
  expect(fixture.stored()?.user.email).toBe('ana.new@guardpost.example');
});
