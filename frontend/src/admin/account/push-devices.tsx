// Alarms on this device: switch pushes on and off, send a test.

import { useEffect, useState } from 'react';
import { listPushDevices, subscribeToPush, testPush, unsubscribeFromPush } from '../../api/on-call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { useReadAgain } from '../session/use-read';
import { FormAlert } from '../ui/auth-card';
import { Waiting } from '../ui/waiting';

export function PushDevices() {
  const { manager } = useAuth();
  const { found, alert, setAlert, retry, change: changeThem } = useReadAgain(listPushDevices);
  const [here, setHere] = useState(isOn);

  /** `job` returns why it could do nothing, or an empty text. */
  async function change(job: () => Promise<string>) {
    let problem = '';
    const isDone = await changeThem(async () => {
      problem = await job();
      setHere(isOn());
    });
    if (isDone) setAlert(problem);
  }

  const unsubscribe = (device: string) => manager.withToken(unsubscribeFromPush, device);

  const turnOff = () =>
    change(async () => {
      const endpoint = await switchOff();
      if (endpoint) await unsubscribe(endpoint);
      return '';
    });

  const remove = (id: number) => change(() => unsubscribe(String(id)).then(() => ''));

  const test = () =>
    change(async () => {
      const { sent, failed } = await manager.withToken(testPush);
      if (sent) toast({ title: `Sent to ${sent} ${sent === 1 ? 'device' : 'devices'}` });
      return failed[0] ?? '';
    });

  return (
    <section aria-labelledby="push-title">
      <h2 id="push-title">Alarms on your devices</h2>
      <p className="muted">
        Emergencies appear on your phones and computers, even when the dashboard is closed. They name the
        service and the city, never the customer.
      </p>
      {found ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={retry} />}
      {canPush() ? null : (
        <p>
          This browser does not support them. On an iPhone, add the dashboard to the home screen first and
          open it there.
        </p>
      )}
      <ul className="things">
        {found?.devices.map((device) => (
          <li key={device.id}>
            <span>
              <strong>{device.service}</strong>
              <span className="muted">{`Last opened ${dateTime(device.seen_at)}`}</span>
            </span>
            <Button
              look="line"
              aria-label={`Remove the device at ${device.service}`}
              onClick={() => remove(device.id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div className="actions person-actions">
        {canPush() && !here ? (
          <Button look="line" onClick={() => change(() => switchOn(manager))}>
            Turn on here
          </Button>
        ) : null}
        {canPush() && here ? (
          <Button look="line" onClick={turnOff}>
            Turn off here
          </Button>
        ) : null}
        {found?.devices.length ? (
          <Button look="line" onClick={test}>
            Send me a test
          </Button>
        ) : null}
      </div>
    </section>
  );
}

// Pushes to this browser. Browsers renew their subscriptions silently, so it subscribes anew at
// each opening of the desk.

/** Whether the person has switched pushes on in this browser. */
const flag = 'guardpost-push';

type Manager = ReturnType<typeof useAuth>['manager'];

/** Whether this browser can take pushes. */
function canPush(): boolean {
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
async function switchOn(manager: Manager): Promise<string> {
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
async function switchOff(): Promise<string | undefined> {
  localStorage.removeItem(flag);
  const subscription = await (await registration()).pushManager.getSubscription();
  await subscription?.unsubscribe();
  return subscription?.endpoint;
}

const isOn = () => canPush() && localStorage.getItem(flag) === 'on';

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
