// Which tab plays the tones: one that the browser lets be heard. It holds a lock, so that the tabs
// of a browser play a tone once, and so that the others know that one is heard.

import { getItem, setItem } from '../../safe-storage';
import { allowTones, isAudible, playTone, type ToneKind } from './tones';

const lockName = 'guardpost.sound';

/** How often a tab that is not heard looks whether another one is, in milliseconds. */
const checkInterval = 2000;

/** `here`: this tab plays; `elsewhere`: another tab of this browser; `blocked`: none. */
export type SoundState = 'off' | 'blocked' | 'here' | 'elsewhere';

export type Sound = {
  state(): SoundState;
  /** Plays a tone, in the tab that plays, unless it is switched off. */
  ring(kind: ToneKind): void;
  switchOn(on: boolean): void;
  stop(): void;
};

/** Follows the switch, the browser's leave and the other tabs; calls `changed` on each change. */
export function openSound(changed: (state: SoundState) => void): Sound {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(lockName);
  let isWaiting = false;
  let release: (() => void) | undefined;
  let isElsewhere = false;
  let last: SoundState | undefined;

  const state = (): SoundState => {
    if (!isOn('sound')) return 'off';
    if (release) return 'here';
    return isElsewhere ? 'elsewhere' : 'blocked';
  };
  const tell = () => {
    const now = state();
    if (now === last || signal.aborted) return;
    last = now;
    changed(now);
  };
  const hold = () =>
    new Promise<void>((done) => {
      isWaiting = false;
      release = done;
      if (isOn('sound') && isAudible() && !signal.aborted) tell();
      else letGo();
    });
  const letGo = () => {
    release?.();
    release = undefined;
    tell();
  };

  const check = async () => {
    if (signal.aborted) return;
    if (!isOn('sound')) return letGo();
    allowTones(take);
    const held = await navigator.locks?.query();
    isElsewhere = !release && (held?.held?.some(({ name }) => name === lockName) ?? false);
    tell();
  };
  /** Takes the lock once this tab can be heard, and returns it when it no longer is. */
  function take() {
    if (!isAudible() || !isOn('sound')) return letGo();
    if (release || isWaiting) return;
    isWaiting = true;
    if (navigator.locks) navigator.locks.request(lockName, { signal }, hold).catch(() => {});
    else hold();
  }

  const pressed = () => {
    if (isOn('sound') && !isAudible()) allowTones(take);
  };
  for (const press of ['pointerup', 'keydown', 'touchend'])
    document.addEventListener(press, pressed, { capture: true, signal });
  document.addEventListener('visibilitychange', check, { signal });
  addEventListener('storage', check, { signal });
  const timer = setInterval(() => release || check(), checkInterval);
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<ToneKind>) => {
      if (release) playTone(data);
    };
  check();

  return {
    state,
    ring(kind) {
      if (!isOn('sound') || !isToneOn(kind)) return;
      if (release) playTone(kind);
      else channel?.postMessage(kind);
    },
    switchOn(on) {
      setOn('sound', on);
      check();
    },
    stop() {
      stop.abort();
      clearInterval(timer);
      letGo();
      channel?.close();
    },
  };
}

/** The tones that can be switched off by themselves; that of emergencies is on with the sound. */
export const toneNames: Record<Exclude<ToneKind, 'emergency'>, string> = {
  request: 'New request',
  message: 'Answer of a customer',
  offer: 'Accepted offer',
  assigned: 'Assigned to me',
  reminder: 'Reminder of mine',
};

/** What this browser plays and shows beside each tone: sound as a whole, system notifications. */
type Switch = 'sound' | 'notification';

export function isOn(name: Switch): boolean {
  return getItem('localStorage', `alert-${name}`) === 'on';
}

export function setOn(name: Switch, on: boolean) {
  setItem('localStorage', `alert-${name}`, on ? 'on' : 'off');
}

export function isToneOn(kind: ToneKind): boolean {
  return kind === 'emergency' || getItem('localStorage', `tone-${kind}`) !== 'off';
}

export function setTone(kind: ToneKind, on: boolean) {
  setItem('localStorage', `tone-${kind}`, on ? 'on' : 'off');
}
