// The state of the event stream, and the alerts of new requests, messages and assignments.
import { useState } from 'react';
import { Popover } from '../ui/popover';
import { type AlertKind, alertEnabled, notificationsAvailable, setAlert } from './alerts';

export function AlertsMenu({ connected }: { connected: boolean }) {
  const [available, setAvailable] = useState(notificationsAvailable);
  const checkAvailable = () => setAvailable(notificationsAvailable());
  return (
    <Popover className="alerts" summary="Alerts">
      <p className="muted">
        {connected ? 'Live: changes appear at once.' : 'Not live: the list is checked every 20 seconds.'}
      </p>
      <AlertSwitch kind="sound" label="Sound for new requests, messages and assignments" />
      {available ? (
        <AlertSwitch kind="notification" label="System notification" changed={checkAvailable} />
      ) : (
        <p className="muted">This browser shows no notifications of this site.</p>
      )}
      <p className="muted">Requests for a call right away have another sound.</p>
    </Popover>
  );
}

type SwitchProps = { kind: AlertKind; label: string; changed?(): void };

function AlertSwitch({ kind, label, changed }: SwitchProps) {
  const [on, setOn] = useState(() => alertEnabled(kind));
  return (
    <label className="field-check">
      <input
        type="checkbox"
        checked={on}
        onChange={async ({ currentTarget: box }) => {
          const isOn = await setAlert(kind, box.checked);
          // If the browser refuses, the state is unchanged, and the box is not rendered again.
          box.checked = isOn;
          setOn(isOn);
          changed?.();
        }}
      />
      {label}
    </label>
  );
}
