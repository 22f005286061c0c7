// Opt-in alerts of new requests, messages and assignments: a sound and a system notification,
// different for emergencies. They contain nothing personal, since others may see the screen.
import { getItem, setItem } from '../../safe-storage';

export type AlertKind = 'sound' | 'notification';

export function alertEnabled(kind: AlertKind): boolean {
  return getItem('localStorage', `alert-${kind}`) === 'on';
}

/**
 * Switches an alert; returns whether it is on now. The user decides on notifications in the
 * browser.
 */
export async function setAlert(kind: AlertKind, on: boolean): Promise<boolean> {
  const allowed = !on || kind === 'sound' || (await Notification.requestPermission()) === 'granted';
  setItem('localStorage', `alert-${kind}`, on && allowed ? 'on' : 'off');
  // Browsers play sounds only after a user's action: this sample follows one.
  if (on && kind === 'sound') play(false);
  return on && allowed;
}

/** Whether this browser has system notifications, and the user has not blocked them. */
export function notificationsAvailable(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission !== 'denied';
}

/** Alerts the user to a new request. */
export function alertUser(emergency: boolean) {
  if (alertEnabled('sound')) play(emergency);
  if (emergency) notify('Call right away', 'A visitor asks to be called right away.', 'emergency');
  else notify('New request', 'A new request has arrived.', 'request');
}

/** Alerts the user to a message of a customer. */
export function alertToMessage() {
  if (alertEnabled('sound')) play(false);
  notify('New message', 'A customer has written.', 'message');
}

/** Alerts the user to requests that a colleague has assigned to them. */
export function alertToAssignment() {
  if (alertEnabled('sound')) play(false);
  notify('Assigned to you', 'A colleague has assigned a request to you.', 'assigned');
}

/** Shows a system notification if they are switched on; it replaces the last one with this tag. */
function notify(title: string, body: string, tag: string) {
  if (!alertEnabled('notification') || !notificationsAvailable()) return;
  try {
    const shown = new Notification(title, { body, tag, icon: '/icon-192.png' });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones allow notifications from service workers only.
  }
}

/**
 * Frequencies in hertz, one after the other: two rising tones, or three times a high and a low one.
 */
const tones = { normal: [660, 880], emergency: [988, 740, 988, 740, 988, 740] };
const toneSeconds = 0.18;

let audio: AudioContext | undefined;

function play(emergency: boolean) {
  audio ??= new AudioContext();
  const context = audio;
  context.resume().catch(() => {});
  const volume = context.createGain();
  volume.gain.value = 0.15;
  volume.connect(context.destination);
  for (const [at, frequency] of (emergency ? tones.emergency : tones.normal).entries()) {
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(context.currentTime + at * toneSeconds);
    tone.stop(context.currentTime + (at + 0.9) * toneSeconds);
  }
}
