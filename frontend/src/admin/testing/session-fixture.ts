// Fixture for the session tests: a service that rotates refresh tokens like ours, the storage and
// tabs of one browser, vitest's fake timers as the clock, and faults to inject into the next calls.
import { vi } from 'vitest';
import { ApiError } from '../../api/admin-client';
import type { Session, User } from '../../api/auth';
import type {
  SessionEnvironment,
  SessionEvent,
  SessionListener,
  TabMessage,
} from '../session/browser-environment';
import { createSessionManager, type SessionManager } from '../session/session-manager';
import { createSessionStorage, storageKey } from '../session/session-storage';

export const ana: User = { id: 'a', email: 'ana@guardpost.example', created_at: '2026-11-01T00:00:00.000Z' };

/** A fault of one refresh call. `lost`: the service executed it, but the response was lost. */
export type Fault = 'lost' | 'offline' | 503 | 502 | 504 | 429;

export class SessionFixture {
  readonly items = new Map<string, string>();
  readonly tabs: Tab[] = [];
  readonly faults: Fault[] = [];
  /** Refresh tokens that the service received, in order. */
  readonly receivedTokens: string[] = [];
  readonly ended: string[] = [];
  private counter = 0;
  private active = true;
  private lock: Promise<unknown> = Promise.resolve();
  /** Whether tabs take turns, as with Web Locks. */
  locks = true;

  /** A session as the service would issue it now, valid for `lifetime` seconds. */
  session(lifetime = 900): Session {
    const expires_at = Math.floor(Date.now() / 1000) + lifetime;
    const common = {
      expires_in: lifetime,
      expires_at,
      token_type: 'bearer',
      user: ana,
      aal: 'aal1' as const,
    };
    return { access_token: `access-${this.counter}`, refresh_token: `refresh-${this.counter}`, ...common };
  }

  store(session: Session) {
    this.items.set(storageKey, JSON.stringify(session));
  }

  stored(): Session | null {
    return createSessionStorage(this.storage).read();
  }

  /**
   * Deletes the session at the service, as after a theft or a global sign-out on another device.
   */
  revoke() {
    this.active = false;
  }

  /** A thief rotates the token until ours is no longer the parent of the active one. */
  steal() {
    this.counter += 2;
  }

  readonly storage = {
    getItem: (name: string) => this.items.get(name) ?? null,
    setItem: (name: string, value: string) => void this.items.set(name, value),
    removeItem: (name: string) => void this.items.delete(name),
  };

  /** The service's side of a refresh: rotation, lost responses, theft. */
  readonly refresh = async (token: string): Promise<Session> => {
    this.receivedTokens.push(token);
    const fault = this.faults.shift();
    await new Promise((resume) => setTimeout(resume, 10));
    if (fault === 'offline') throw new ApiError(0, 'unreachable', 'The server could not be reached.');
    if (typeof fault === 'number') throw new ApiError(fault, '', 'Busy');
    const answer = this.rotate(Number(token.split('-')[1]));
    if (fault === 'lost') throw new ApiError(0, 'unreachable', 'The server could not be reached.');
    return answer;
  };

  private rotate(counter: number): Session {
    if (!this.active) throw new ApiError(400, 'session_not_found', 'Session not found');
    if (counter < this.counter - 1) {
      this.active = false;
      throw new ApiError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    }
    if (counter === this.counter) this.counter += 1;
    return this.session();
  }

  readonly withLock = <T>(job: () => Promise<T>): Promise<T> => {
    if (!this.locks) return job();
    const turn = this.lock.then(job, job);
    this.lock = turn.catch(() => {});
    return turn;
  };

  tab(): Tab {
    const tab = new Tab(this);
    this.tabs.push(tab);
    return tab;
  }

  /** A tab that has started with a stored session, valid for `lifetime` seconds. */
  async opened(lifetime = 900): Promise<Tab> {
    this.store(this.session(lifetime));
    const tab = this.tab();
    const started = tab.manager.start();
    await advance(0.1);
    await started;
    return tab;
  }
}

/** One browser tab, with its session manager and the events it received. */
export class Tab {
  readonly events: SessionEvent[] = [];
  readonly manager: SessionManager;
  visible = true;
  private hear: (message: TabMessage) => void = () => {};
  private changed: (what: 'visibility' | 'online') => void = () => {};

  constructor(fixture: SessionFixture) {
    const outside: SessionEnvironment = {
      storage: createSessionStorage(fixture.storage),
      now: () => Date.now(),
      visible: () => this.visible,
      onPageChange: (changed) => {
        this.changed = changed;
      },
      withLock: fixture.withLock,
      tabs: {
        post: (message) => {
          for (const other of fixture.tabs) if (other !== this) other.hear(structuredClone(message));
        },
        subscribe: (heard) => {
          this.hear = heard;
        },
      },
      refresh: fixture.refresh,
      signOut: async (token, scope) => {
        if (fixture.faults[0] === 503) throw new ApiError(503, '', 'Busy');
        fixture.ended.push(`${scope} ${token}`);
      },
    };
    this.manager = createSessionManager(outside);
    const note: SessionListener = (event) => this.events.push(event);
    this.manager.subscribe(note);
  }

  show(visible: boolean) {
    this.visible = visible;
    this.changed('visibility');
  }

  online() {
    this.changed('online');
  }
}

/** Advances the clock by `seconds`. */
export async function advance(seconds: number) {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
}
