// Says that no emergency would be heard here, and changes it; asks whoever is on call, once.
import { useEffect, useState } from 'react';
import { readOnCall } from '../../api/on-call';
import { getItem, setItem } from '../../safe-storage';
import { useAuth } from '../session/provider';
import { useAlarms } from './alarm-provider';
import { playTone } from './tones';

export function SoundStrip() {
  const { sound, switchSound } = useAlarms();
  const { asks, answered } = useOnCallQuestion(sound === 'off');
  if (sound === 'blocked')
    return (
      <p className="sound-strip sound-missing">
        <strong>Sound is blocked: press anywhere.</strong> The browser plays none before a press.
      </p>
    );
  if (sound !== 'off')
    return (
      <p className="sound-strip">
        No emergency waits. Sound is on. <Test />
      </p>
    );
  return (
    <p className="sound-strip sound-missing">
      <strong>{asks ? 'You are on call, and sound is off.' : 'Sound is off.'}</strong>{' '}
      <button type="button" className="strip-button" onClick={() => switchSound(true)}>
        Switch it on
      </button>{' '}
      {asks ? (
        <button type="button" className="strip-button" onClick={answered}>
          Leave it off
        </button>
      ) : null}
      <Test />
    </p>
  );
}

function Test() {
  return (
    <button type="button" className="strip-button" onClick={() => playTone('emergency')}>
      Test
    </button>
  );
}

/** Whether the user is on call and was not asked in this browser yet; `answered` ends it. */
function useOnCallQuestion(isOff: boolean) {
  const { manager, user } = useAuth();
  const [asks, setAsks] = useState(false);
  const key = `sound-asked-${user?.id}`;
  useEffect(() => {
    setAsks(false);
    if (!isOff || getItem('localStorage', key)) return;
    let wanted = true;
    manager.withToken(readOnCall).then(
      ({ spans }) => {
        const now = Date.now();
        const current = spans.find(({ from, until }) => Date.parse(from) <= now && now < Date.parse(until));
        if (wanted) setAsks(current?.people[0] === user?.id);
      },
      // Without an answer the strip says only that sound is off.
      () => {},
    );
    return () => {
      wanted = false;
    };
  }, [manager, isOff, key]);
  return {
    asks,
    answered() {
      setItem('localStorage', key, 'yes');
      setAsks(false);
    },
  };
}
