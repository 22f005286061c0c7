// Pushes to this browser. Browsers renew their subscriptions silently, so it subscribes anew at
// each opening of the desk.
import { useEffect } from 'react';
import { listPushDevices, subscribeToPush } from '../../api/on-call';
import { useAuth } from '../session/provider';

/** Whether the person has switched pushes on in this browser. */
const flag = 'guardpost-push';

type Manager = ReturnType<typeof useAuth>['manager'];

/** Whether this browser can take pushes. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

async function registration() {
  return (await navigator.serviceWorker.getRegistration('/admin')) ?? navigator.serviceWorker.ready;
}

/** The bytes of a key in base64url. */
export function keyBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

const forbidden =
  'This browser does not allow notifications of this site: allow them in its settings. A private ' +
  'window never allows them: use an ordinary one.';
const noService =
  'The push service of this browser does not answer. Check the network, or use another browser.';

/** What happened and what to do, where `PushManager` has thrown. */
export function pushProblem({ name, message }: DOMException): string {
  const isForbidden = name === 'NotAllowedError' || name === 'SecurityError' || /permission/.test(message);
  return isForbidden ? forbidden : noService;
}

/** Asks for permission and subscribes this browser; returns a message if it is not possible. */
export async function switchOn(manager: Manager): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted') return forbidden;
  try {
    await subscribe(manager);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return pushProblem(error);
  }
  localStorage.setItem(flag, 'on');
  return '';
}

/** Ends the subscription of this browser; returns its endpoint. */
export async function switchOff(): Promise<string | undefined> {
  localStorage.removeItem(flag);
  const subscription = await (await registration()).pushManager.getSubscription();
  await subscription?.unsubscribe();
  return subscription?.endpoint;
}

export const isOn = () => canPush() && localStorage.getItem(flag) === 'on';

async function subscribe(manager: Manager) {
  const { public_key } = await manager.withToken(listPushDevices);
  const options = { userVisibleOnly: true, applicationServerKey: keyBytes(public_key) };
  const { pushManager } = await registration();
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // Subscribed with another key, as after a restore.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  await manager.withToken(subscribeToPush, subscription.toJSON());
}

/** Subscribes this browser anew, if pushes are on. */
export function useResubscribe() {
  const { manager } = useAuth();
  useEffect(() => {
    if (isOn() && Notification.permission === 'granted') subscribe(manager).catch(() => {});
  }, [manager]);
}
