// The session is renewed in time, again after a failure, and cleared if the service rejects it for
// good.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { advance, SessionFixture } from '../testing/session-fixture';

let fixture: SessionFixture;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T03:00:00Z') });
  fixture = new SessionFixture();
});

afterEach(() => {
  vi.useRealTimers();
});

const opened = (lifetime?: number) => fixture.opened(lifetime);

describe('renewing', () => {
  it('checks every 30 s and renews when 90 s or less remain', async () => {
    const tab = await opened(151);
    await advance(59);
    expect(fixture.receivedTokens).toEqual([]);
    await advance(2);
    expect(fixture.receivedTokens).toEqual([]);
    await advance(30);
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
    expect(tab.events.at(-1)).toBe('TOKEN_REFRESHED');
  });

  it('does not check while hidden, and checks at once when shown', async () => {
    const tab = await opened(200);
    tab.show(false);
    await advance(600);
    expect(fixture.receivedTokens).toEqual([]);
    tab.show(true);
    await advance(0.1);
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
  });

  it('retries after 200 ms and doubles the delay each time', async () => {
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

  it('gives up within 30 s, keeps the session, and waits a minute before the next attempt', async () => {
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

  it('retries at once when the browser is online again', async () => {
    fixture.faults.push(...Array<'offline'>(40).fill('offline'));
    const tab = await opened(60);
    await advance(31);
    fixture.faults.length = 0;
    tab.online();
    await advance(0.1);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-1');
  });

  it('survives a lost response', async () => {
    fixture.faults.push('lost');
    const tab = await opened(60);
    await advance(1);
    expect(fixture.receivedTokens).toEqual(['refresh-0', 'refresh-0']);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-1');
  });

  it('keeps the session on 429 and does not retry', async () => {
    fixture.faults.push(429);
    const tab = await opened(60);
    await advance(5);
    expect(fixture.receivedTokens).toHaveLength(1);
    expect(tab.manager.current()?.refresh_token).toBe('refresh-0');
  });

  it('clears the session when the token was stolen', async () => {
    fixture.steal();
    fixture.store({ ...fixture.session(60), refresh_token: 'refresh-0' });
    const tab = fixture.tab();
    await tab.manager.start();
    await advance(1);
    expect(tab.events.at(-1)).toBe('SIGNED_OUT');
    expect(fixture.stored()).toBeNull();
    expect(fixture.receivedTokens).toEqual(['refresh-0']);
  });

  it('measures the expiry by the local clock, even a wrong one', async () => {
    const tab = await opened();
    const hourAhead = Math.floor(Date.now() / 1000) - 3600;
    tab.manager.setSession({ ...fixture.session(), expires_at: hourAhead + 900 }, 'SIGNED_IN');
    await advance(120);
    expect(fixture.receivedTokens).toEqual([]);
  });
});
