// What this browser plays and shows: sound as a whole, each tone, system notifications.
import { getItem, setItem } from '../../safe-storage';
import type { ToneKind } from './tones';

/** The tones that can be switched off by themselves; that of emergencies is on with the sound. */
export const toneNames: Record<Exclude<ToneKind, 'emergency'>, string> = {
  request: 'New request',
  message: 'Answer of a customer',
  offer: 'Accepted offer',
  assigned: 'Assigned to me',
  reminder: 'Reminder of mine',
};

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
