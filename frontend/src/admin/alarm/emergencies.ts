// Which emergencies raise the alarm, and its words.

import type { RequestItem } from '../../api/inbox';
import { serviceLabel } from '../requests/format';
import { isOn, setOn } from './sound';

/** As long as the chain of calls goes on: what waits for longer is overdue work, not an alarm. */
const maxAge = 24 * 60 * 60_000;

/** The newest emergencies without an assignee. */
export const emergencyQuery = { emergency: 'true', assignee: 'nobody', open: 'true', limit: '50' };

/** Those of a list that were not taken, called or opened, the longest waiting first. */
export function alarming(
  requests: readonly RequestItem[],
  opened: ReadonlySet<string>,
  now: number,
): RequestItem[] {
  return requests
    .filter((request) => request.awaits_call && !request.assignee && !opened.has(request.id))
    .filter(({ created_at }) => now - Date.parse(created_at) < maxAge)
    .sort((one, other) => one.created_at.localeCompare(other.created_at));
}

/** As in "Houston, fire watch". */
export function alarmPlace(request: RequestItem): string {
  const place = request.location?.split(',')[0]?.trim();
  return [place, serviceLabel(request).toLowerCase()].filter(Boolean).join(', ');
}

/** As in "(2) EMERGENCY Houston, fire watch", of the one that waits longest. */
export function alarmTitle([first, ...others]: readonly RequestItem[]): string {
  return first ? `(${others.length + 1}) EMERGENCY ${alarmPlace(first)}` : '';
}

// System notifications, if they are switched on. They name no person, since others may see the
// screen.

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
