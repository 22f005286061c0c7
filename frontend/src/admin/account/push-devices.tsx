// Alarms on this device: switch pushes on and off, send a test.
import { useCallback, useEffect, useState } from 'react';
import { type PushDevices as Found, listPushDevices, testPush, unsubscribeFromPush } from '../../api/on-call';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { useAttempt } from '../ui/use-attempt';
import { Waiting } from '../ui/waiting';
import { canPush, isOn, switchOff, switchOn } from './push';

export function PushDevices() {
  const { manager } = useAuth();
  const [devices, setDevices] = useState<Found['devices']>();
  const { alert, setAlert, attempt } = useAttempt();
  const [here, setHere] = useState(isOn);

  const load = useCallback(
    async () => setDevices((await manager.withToken(listPushDevices)).devices),
    [manager],
  );
  useEffect(() => {
    attempt(load);
  }, [attempt, load]);

  /** `job` returns why it could do nothing, or an empty text. */
  const change = (job: () => Promise<string>) =>
    attempt(async () => {
      const problem = await job();
      setHere(isOn());
      await load();
      setAlert(problem);
    });

  const unsubscribe = (device: string) => manager.withToken(unsubscribeFromPush, device);

  const turnOff = () =>
    change(async () => {
      const endpoint = await switchOff();
      if (endpoint) await unsubscribe(endpoint);
      return '';
    });

  const remove = (id: number) =>
    change(async () => {
      await unsubscribe(String(id));
      return '';
    });

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
      {devices ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={() => attempt(load)} />}
      {canPush() ? null : (
        <p>
          This browser does not support them. On an iPhone, add the dashboard to the home screen first and
          open it there.
        </p>
      )}
      <ul className="things">
        {(devices ?? []).map((device) => (
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
          <Button onClick={() => change(() => switchOn(manager))}>Turn on here</Button>
        ) : null}
        {canPush() && here ? (
          <Button look="line" onClick={turnOff}>
            Turn off here
          </Button>
        ) : null}
        {devices?.length ? (
          <Button look="line" onClick={test}>
            Send me a test
          </Button>
        ) : null}
      </div>
    </section>
  );
}
