// The line under the bar of the dashboard: the emergencies that wait, or whether sound is on. Its
// place is kept, so that an alarm moves nothing that one is about to press.

import { type RefObject, useEffect, useRef, useState } from 'react';
import type { RequestItem } from '../../api/inbox';
import { readOnCall } from '../../api/on-call';
import { serverNow } from '../../api/server-clock';
import { getItem, setItem } from '../../safe-storage';
import { announce } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { isTyped, shortcutsEnabled } from '../ui/keys';
import { AlarmBar } from './alarm-bar';
import { useAlarms } from './alarm-provider';
import { AlertsMenu } from './alerts-menu';
import { alarmPlace } from './emergencies';
import { playTone } from './tones';

/** The key that opens the emergency that waits longest, from every view. */
const key = 'g';

export function AlarmLine({ hrefOf }: { hrefOf(request: string): string }) {
  const { emergencies, isKnown } = useAlarms();
  const line = useRef<HTMLElement>(null);
  const isOn = emergencies.length > 0;
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== key || !isPlain || isTyped(event.target) || !shortcutsEnabled()) return;
      line.current?.querySelector<HTMLElement>('.alarm-bar a')?.click();
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
  useKeptFocus(line, emergencies);
  return (
    <section ref={line} className={isOn ? 'alarm-slot alarm-on' : 'alarm-slot'} aria-label="Alarm">
      <Spoken />
      <div className="alarm-line">
        {isOn ? <AlarmBar hrefOf={hrefOf} /> : null}
        {isOn || isKnown ? null : <p className="sound-strip">Looking for emergencies…</p>}
        {!isOn && isKnown ? <SoundStrip /> : null}
        <AlertsMenu />
      </div>
    </section>
  );
}

/**
 * A button that is pressed goes with its emergency: the focus is then on the next one, or where it
 * was before.
 */
function useKeptFocus(line: RefObject<HTMLElement | null>, emergencies: readonly RequestItem[]) {
  const before = useRef<HTMLElement>(undefined);
  const isInside = useRef(false);
  useEffect(() => {
    const moved = ({ target }: FocusEvent) => {
      isInside.current = line.current?.contains(target as Node) ?? false;
      if (!isInside.current) before.current = target as HTMLElement;
    };
    document.addEventListener('focusin', moved);
    return () => document.removeEventListener('focusin', moved);
  }, [line]);
  useEffect(() => {
    const isLost = !document.activeElement || document.activeElement === document.body;
    if (!isInside.current || !isLost) return;
    const next = line.current?.querySelector<HTMLElement>('.alarm-bar a');
    const former = before.current?.isConnected ? before.current : undefined;
    (next ?? former ?? document.querySelector<HTMLElement>('main h1'))?.focus();
  }, [line, emergencies]);
}

/** Says a new emergency at once, and that the last one is over. */
function Spoken() {
  const { emergencies } = useAlarms();
  const newest = emergencies.at(-1);
  const [text, setText] = useState('');
  const before = useRef(0);
  useEffect(() => {
    setText(newest ? `Emergency: ${alarmPlace(newest)}` : '');
    if (before.current > 0 && !newest) announce('No emergency waits.');
    before.current = emergencies.length;
  }, [newest?.id, emergencies.length]);
  return (
    <p className="visually-hidden" role="alert">
      {text}
    </p>
  );
}

/** Says that no emergency would be heard here, and changes it; asks the person on call, once. */
function SoundStrip() {
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
        const now = serverNow();
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
