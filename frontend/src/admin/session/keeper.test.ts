// The session's promises: restored without asking, renewed in time, never dropped without a definite refusal, one among all tabs.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../api/call';
import { ana, pass, World } from './world';

let world: World;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T03:00:00Z') });
  world = new World();
});

afterEach(() => {
  vi.useRealTimers();
});

async function opened(life = 900) {
  world.store(world.session(life));
  const tab = world.tab();
  const started = tab.keeper.start();
  await pass(0.1);
  await started;
  return tab;
}

describe('restoring', () => {
  it('tells that nobody is signed in where nothing is stored', async () => {
    const tab = world.tab();
    await tab.keeper.start();
    expect(tab.events).toEqual(['INITIAL_SESSION']);
    expect(tab.keeper.current()).toBeNull();
  });

  it('gives the stored session at once, without asking the service', async () => {
    const tab = await opened();
    expect(tab.events).toEqual(['SIGNED_IN', 'INITIAL_SESSION']);
    expect(tab.keeper.current()?.user).toEqual(ana);
    expect(world.shown).toEqual([]);
  });

  it('renews an expired session before it tells anybody', async () => {
    const tab = await opened(-10);
    expect(tab.events).toEqual(['TOKEN_REFRESHED', 'INITIAL_SESSION']);
    expect(world.stored()?.refresh_token).toBe('refresh-1');
  });

  it('keeps an expired session when the network is away, for it may still be good', async () => {
    world.faults.push(...Array<'offline'>(20).fill('offline'));
    world.store(world.session(-10));
    const tab = world.tab();
    const started = tab.keeper.start();
    await pass(40);
    await started;
    expect(tab.events).toEqual(['INITIAL_SESSION']);
    expect(world.stored()?.refresh_token).toBe('refresh-0');
  });

  it.each(['{"access_token":1}', 'nonsense', 'null'])('takes %s in storage for nobody', async (text) => {
    world.strings.set('guardpost.session', text);
    const tab = world.tab();
    await tab.keeper.start();
    expect(tab.keeper.current()).toBeNull();
  });
});

describe('renewing', () => {
  it('looks every 30 s and renews when 90 s or less remain', async () => {
    const tab = await opened(151);
    await pass(59);
    expect(world.shown).toEqual([]);
    await pass(2);
    expect(world.shown).toEqual([]);
    await pass(30);
    expect(world.shown).toEqual(['refresh-0']);
    expect(tab.events.at(-1)).toBe('TOKEN_REFRESHED');
  });

  it('does not look while hidden, and looks at once when shown', async () => {
    const tab = await opened(200);
    tab.show(false);
    await pass(600);
    expect(world.shown).toEqual([]);
    tab.show(true);
    await pass(0.1);
    expect(world.shown).toEqual(['refresh-0']);
  });

  it('tries again after 200 ms and then twice as long each time', async () => {
    const tab = await opened(80);
    world.faults.length = 0;
    world.shown.length = 0;
    world.faults.push(503, 502, 504);
    const renewed = tab.keeper.renew();
    await pass(0.2);
    expect(world.shown).toHaveLength(1);
    await pass(0.02);
    expect(world.shown).toHaveLength(2);
    await pass(0.41);
    expect(world.shown).toHaveLength(3);
    await pass(0.81);
    expect(world.shown).toHaveLength(4);
    await pass(0.1);
    expect((await renewed)?.refresh_token).toBe('refresh-2');
  });

  it('gives up within 30 s, keeps the session, and rests a minute before it begins again', async () => {
    world.faults.push(...Array<'offline'>(40).fill('offline'));
    const tab = await opened(60);
    await pass(29);
    const tried = world.shown.length;
    expect(tried).toBeGreaterThan(5);
    await pass(50);
    expect(world.shown).toHaveLength(tried);
    expect(tab.keeper.current()?.refresh_token).toBe('refresh-0');
    world.faults.length = 0;
    await pass(60);
    expect(tab.keeper.current()?.refresh_token).toBe('refresh-1');
  });

  it('begins again at once when the network comes back', async () => {
    world.faults.push(...Array<'offline'>(40).fill('offline'));
    const tab = await opened(60);
    await pass(31);
    world.faults.length = 0;
    tab.online();
    await pass(0.1);
    expect(tab.keeper.current()?.refresh_token).toBe('refresh-1');
  });

  it('survives an answer that was lost on the way', async () => {
    world.faults.push('lost');
    const tab = await opened(60);
    await pass(1);
    expect(world.shown).toEqual(['refresh-0', 'refresh-0']);
    expect(tab.keeper.current()?.refresh_token).toBe('refresh-1');
  });

  it('keeps the session when asked to wait (429), and does not hammer', async () => {
    world.faults.push(429);
    const tab = await opened(60);
    await pass(5);
    expect(world.shown).toHaveLength(1);
    expect(tab.keeper.current()?.refresh_token).toBe('refresh-0');
  });

  it('drops the session when the token was stolen', async () => {
    world.steal();
    world.store({ ...world.session(60), refresh_token: 'refresh-0' });
    const tab = world.tab();
    await tab.keeper.start();
    await pass(1);
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
    expect(world.stored()).toBeNull();
    expect(world.shown).toEqual(['refresh-0']);
  });

  it('measures the end by this clock, however wrong it is', async () => {
    const tab = await opened();
    const hourAhead = Math.floor(Date.now() / 1000) - 3600;
    tab.keeper.accept({ ...world.session(), expires_at: hourAhead + 900 }, 'SIGNED_IN');
    await pass(120);
    expect(world.shown).toEqual([]);
  });
});

describe('calls', () => {
  it('wait for a renewal only when the token has ended', async () => {
    const tab = await opened(95);
    await pass(10);
    expect(await tab.keeper.authorised(async (token) => token)).toBe('access-0');
    await pass(1);
    expect(await tab.keeper.authorised(async (token) => token)).toBe('access-1');
  });

  it('are made once more with a new token when theirs is refused', async () => {
    const tab = await opened();
    const used: string[] = [];
    const made = tab.keeper.authorised(async (token) => {
      used.push(token);
      if (used.length === 1) throw new Refusal(403, 'bad_jwt', 'Invalid token');
      return 'done';
    });
    await pass(1);
    expect(await made).toBe('done');
    expect(used).toEqual(['access-0', 'access-1']);
  });

  it('sign out when the session has been ended elsewhere', async () => {
    const tab = await opened();
    world.revoke();
    const made = tab.keeper.authorised(async () => {
      throw new Refusal(401, '', 'Sign in first');
    });
    const failed = expect(made).rejects.toThrow('Auth session missing!');
    await pass(1);
    await failed;
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });

  it.each([
    [403, 'not_admin'],
    [401, 'insufficient_aal'],
    [503, ''],
  ])('leave the session alone on %i %s', async (status, code) => {
    const tab = await opened();
    const made = tab.keeper.authorised(async () => {
      throw new Refusal(status, code, 'No');
    });
    await expect(made).rejects.toThrow('No');
    expect(tab.keeper.current()).not.toBeNull();
    expect(world.shown).toEqual([]);
  });
});

describe('several tabs', () => {
  it('renew once among them', async () => {
    const first = await opened(200);
    const second = world.tab();
    await second.keeper.start();
    await pass(121);
    expect(world.shown).toEqual(['refresh-0']);
    expect(first.keeper.current()).toEqual(second.keeper.current());
    expect(second.events).toContain('TOKEN_REFRESHED');
  });

  it('come to agree even where they cannot wait for each other', async () => {
    world.locks = false;
    const first = await opened(60);
    const second = world.tab();
    await second.keeper.start();
    await pass(31);
    expect(first.keeper.current()?.refresh_token).toBe('refresh-1');
    expect(second.keeper.current()?.refresh_token).toBe('refresh-1');
    expect(world.stored()?.refresh_token).toBe('refresh-1');
  });

  it('sign in and out together', async () => {
    const first = world.tab();
    const second = world.tab();
    await first.keeper.start();
    await second.keeper.start();
    first.keeper.accept(world.session(), 'SIGNED_IN');
    expect(second.events.at(-1)).toBe('SIGNED_IN');
    await second.keeper.signOut();
    expect(first.events.at(-1)).toBe('SIGNED_OUT');
    expect(first.keeper.current()).toBeNull();
  });

  it('do not bring back a session that another tab ended while a renewal was under way', async () => {
    const tab = await opened();
    const renewed = tab.keeper.renew();
    await pass(0.005);
    world.strings.clear();
    await pass(1);
    expect(await renewed).toBeNull();
    expect(world.stored()).toBeNull();
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });

  it('notice on the next look that storage was cleared', async () => {
    const tab = await opened();
    world.strings.clear();
    await pass(31);
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
  });
});

describe('signing out', () => {
  it('forgets here at once, and tells the service', async () => {
    const tab = await opened();
    await tab.keeper.signOut();
    expect(world.stored()).toBeNull();
    expect(world.ended).toEqual(['local access-0']);
  });

  it('everywhere stays signed in when the service could not do it', async () => {
    const tab = await opened();
    world.faults.push(503);
    await expect(tab.keeper.signOut('global')).rejects.toThrow('Busy');
    expect(tab.keeper.current()).not.toBeNull();
  });

  it('of the others keeps this session', async () => {
    const tab = await opened();
    await tab.keeper.signOut('others');
    expect(world.ended).toEqual(['others access-0']);
    expect(tab.keeper.current()).not.toBeNull();
    expect(tab.events).not.toContain('SIGNED_OUT');
  });
});

it('tells when the user has changed, here and in the other tabs', async () => {
  const tab = await opened();
  const other = world.tab();
  await other.keeper.start();
  tab.keeper.updateUser({ ...ana, email: 'ana.new@guardpost.example' });
  expect(other.events.at(-1)).toBe('USER_UPDATED');
  expect(other.keeper.current()?.user.email).toBe('ana.new@guardpost.example');
  expect(world.stored()?.user.email).toBe('ana.new@guardpost.example');
});
