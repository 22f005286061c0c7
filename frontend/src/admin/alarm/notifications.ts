// System notifications, if they are switched on. They name no person, since others may see the
// screen.
import { isOn, setOn } from './switches';

/** Whether this browser has system notifications, and the user has not blocked them. */
export function notificationsAvailable(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission !== 'denied';
}

/** Switches them; returns whether they are on now. The user decides in the browser. */
export async function setNotifications(on: boolean): Promise<boolean> {
  const allowed = !on || (await Notification.requestPermission()) === 'granted';
  setOn('notification', on && allowed);
  return on && allowed;
}

type Shown = { title: string; body: string; tag: string; stays?: boolean };

/**
 * Shows a notification, which replaces the last one with this tag; returns what closes it. One that
 * `stays` is shown until it is closed.
 */
export function notify({ title, body, tag, stays = false }: Shown): () => void {
  if (!isOn('notification') || !notificationsAvailable()) return () => {};
  try {
    const shown = new Notification(title, { body, tag, icon: '/icon-192.png', requireInteraction: stays });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    return () => shown.close();
  } catch {
    // Some phones allow notifications from service workers only.
    return () => {};
  }
}
