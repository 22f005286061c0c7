// The state of the event stream, and the switches of sound, tones and notifications.
import { useState } from 'react';
import { useConnection } from '../live/live-provider';
import { Popover } from '../ui/popover';
import { useAlarms } from './alarm-provider';
import { notificationsAvailable, setNotifications } from './emergencies';
import { isOn, isToneOn, setTone, toneNames } from './sound';
import { playTone, type ToneKind } from './tones';

export function AlertsMenu() {
  const { connected } = useConnection();
  const { sound, switchSound } = useAlarms();
  return (
    <Popover className="alerts" summary="Alerts">
      <p className="muted">
        {connected ? 'Live: changes appear at once.' : 'Not live: the list is checked every 20 seconds.'}
      </p>
      <label className="field-check">
        <input
          type="checkbox"
          checked={sound !== 'off'}
          onChange={({ currentTarget }) => {
            switchSound(currentTarget.checked);
            if (currentTarget.checked) playTone('request');
          }}
        />
        Sound
      </label>
      <fieldset className="tones" disabled={sound === 'off'}>
        <legend>
          An emergency sounds every 10 seconds for a minute, then each minute, until somebody takes or opens
          it. Once each:
        </legend>
        {Object.entries(toneNames).map(([kind, label]) => (
          <ToneSwitch key={kind} kind={kind as ToneKind} label={label} />
        ))}
      </fieldset>
      <NotificationSwitch />
    </Popover>
  );
}

function ToneSwitch({ kind, label }: { kind: ToneKind; label: string }) {
  const [on, setOn] = useState(() => isToneOn(kind));
  return (
    <label className="field-check">
      <input
        type="checkbox"
        checked={on}
        onChange={({ currentTarget }) => {
          setTone(kind, currentTarget.checked);
          setOn(currentTarget.checked);
          if (currentTarget.checked) playTone(kind);
        }}
      />
      {label}
    </label>
  );
}

function NotificationSwitch() {
  const [available, setAvailable] = useState(notificationsAvailable);
  const [on, setOn] = useState(() => isOn('notification'));
  if (!available) return <p className="muted">This browser shows no notifications of this site.</p>;
  return (
    <label className="field-check">
      <input
        type="checkbox"
        checked={on}
        onChange={async ({ currentTarget: box }) => {
          const isNowOn = await setNotifications(box.checked);
          // If the browser refuses, the state is unchanged, and the box is not rendered again.
          box.checked = isNowOn;
          setOn(isNowOn);
          setAvailable(notificationsAvailable());
        }}
      />
      System notification
    </label>
  );
}
