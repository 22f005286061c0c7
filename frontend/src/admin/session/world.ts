// A small world for the session's tests: a service that rotates refresh tokens as ours does, one browser's storage and
// its tabs, a clock turned by hand (vitest's fake timers), and faults that are planted for the next calls.
import { vi } from 'vitest';
import type { Session, User } from '../../api/auth';
import { Refusal } from '../../api/call';
import {
  createKeeper,
  type Keeper,
  type Listener,
  type Outside,
  type SessionEvent,
  type Told,
} from './keeper';
import { key, stored } from './stored';

export const ana: User = { id: 'a', email: 'ana@guardpost.example', created_at: '2026-11-01T00:00:00.000Z' };

/** What may go wrong with one refresh, in the order planted. `lost`: done by the service, its answer never arrives. */
export type Fault = 'lost' | 'offline' | 503 | 502 | 504 | 429;

export class World {
  readonly strings = new Map<string, string>();
  readonly tabs: Tab[] = [];
  readonly faults: Fault[] = [];
  /** Refresh tokens the service was shown, in order. */
  readonly shown: string[] = [];
  readonly ended: string[] = [];
  private counter = 0;
  private alive = true;
  private lock: Promise<unknown> = Promise.resolve();
  /** Whether tabs wait for each other, as with Web Locks. */
  locks = true;

  /** A session as the service gives it out now, `life` seconds long. */
  session(life = 900): Session {
    const expires_at = Math.floor(Date.now() / 1000) + life;
    const common = { expires_in: life, expires_at, token_type: 'bearer', user: ana, aal: 'aal1' as const };
    return { access_token: `access-${this.counter}`, refresh_token: `refresh-${this.counter}`, ...common };
  }

  store(session: Session) {
    this.strings.set(key, JSON.stringify(session));
  }

  stored(): Session | null {
    return stored(this.storage).read();
  }

  /** The session was deleted at the service: theft, or another device signed out everywhere. */
  revoke() {
    this.alive = false;
  }

  /** Somebody else uses our refresh token often enough that ours is no longer the parent of the active one. */
  steal() {
    this.counter += 2;
  }

  readonly storage = {
    getItem: (name: string) => this.strings.get(name) ?? null,
    setItem: (name: string, value: string) => void this.strings.set(name, value),
    removeItem: (name: string) => void this.strings.delete(name),
  };

  /** The service's side of a refresh (rotation, lost answers, theft). */
  readonly refresh = async (token: string): Promise<Session> => {
    this.shown.push(token);
    const fault = this.faults.shift();
    await new Promise((resume) => setTimeout(resume, 10));
    if (fault === 'offline') throw new Refusal(0, 'unreachable', 'The server could not be reached.');
    if (typeof fault === 'number') throw new Refusal(fault, '', 'Busy');
    const answer = this.rotate(Number(token.split('-')[1]));
    if (fault === 'lost') throw new Refusal(0, 'unreachable', 'The server could not be reached.');
    return answer;
  };

  private rotate(counter: number): Session {
    if (!this.alive) throw new Refusal(400, 'session_not_found', 'Session not found');
    if (counter < this.counter - 1) {
      this.alive = false;
      throw new Refusal(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    }
    if (counter === this.counter) this.counter += 1;
    return this.session();
  }

  readonly alone = <T>(job: () => Promise<T>): Promise<T> => {
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
}

/** One tab of the browser, with its keeper and everything it was told. */
export class Tab {
  readonly events: SessionEvent[] = [];
  readonly keeper: Keeper;
  visible = true;
  private hear: (told: Told) => void = () => {};
  private changed: (what: 'visibility' | 'online') => void = () => {};

  constructor(world: World) {
    const outside: Outside = {
      stored: stored(world.storage),
      now: () => Date.now(),
      visible: () => this.visible,
      watch: (changed) => {
        this.changed = changed;
      },
      alone: world.alone,
      tabs: {
        tell: (told) => {
          for (const other of world.tabs) if (other !== this) other.hear(structuredClone(told));
        },
        listen: (heard) => {
          this.hear = heard;
        },
      },
      refresh: world.refresh,
      signOut: async (token, scope) => {
        if (world.faults[0] === 503) throw new Refusal(503, '', 'Busy');
        world.ended.push(`${scope} ${token}`);
      },
    };
    this.keeper = createKeeper(outside);
    const note: Listener = (event) => this.events.push(event);
    this.keeper.listen(note);
  }

  show(visible: boolean) {
    this.visible = visible;
    this.changed('visibility');
  }

  online() {
    this.changed('online');
  }
}

/** Lets `seconds` pass. */
export async function pass(seconds: number) {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
}
