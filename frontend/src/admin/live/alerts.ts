// Opt-in alerts of new requests: a sound and a system notification, different for emergencies. They
// contain nothing personal, since others may see the screen.
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
  if (!alertEnabled('notification') || !notificationsAvailable()) return;
  const title = emergency ? 'Call right away' : 'New request';
  const body = emergency ? 'A visitor asks to be called right away.' : 'A new request has arrived.';
  try {
    const shown = new Notification(title, {
      body,
      tag: emergency ? 'emergency' : 'request',
      icon: '/icon-192.png',
    });
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
