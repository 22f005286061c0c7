// The alarm above all views of the dashboard: which emergencies wait, the tone, the notification
// and the title of the tab.
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { RequestItem } from '../../api/inbox-types';
import { useConnection } from '../live/live-provider';
import { alarmPlace, alarmTitle } from './emergencies';
import { notify } from './notifications';
import { repeat } from './repeat';
import { openSound, type Sound, type SoundState } from './sound';
import type { ToneKind } from './tones';
import { useEmergencies } from './use-emergencies';
import { useNews } from './use-news';
import { useTitle } from './use-title';

type Alarms = {
  /** Emergencies that nobody has taken, called or opened, the one that waits longest first. */
  emergencies: readonly RequestItem[];
  /** Whether the server has said which ones wait. */
  isKnown: boolean;
  /** Reads them again. */
  readEmergencies(): void;
  sound: SoundState;
  switchSound(on: boolean): void;
  /** Sets how many requests of the list are counted in the title of the tab. */
  countInTitle(count: number): void;
};

const Context = createContext<Alarms | null>(null);

export function useAlarms(): Alarms {
  const alarms = useContext(Context);
  if (!alarms) throw new Error('useAlarms needs an AlarmProvider');
  return alarms;
}

export function AlarmProvider({ children }: { children: ReactNode }) {
  const { waiting: emergencies, isKnown, read: readEmergencies } = useEmergencies();
  const { sound, switchSound, ring } = useSound();
  const [count, countInTitle] = useState(0);
  useNews(ring);
  useTone(emergencies, sound, ring);
  useEmergencyNotification(emergencies);
  useTitle(alarmTitle(emergencies), count);
  const value = useMemo(
    () => ({ emergencies, isKnown, readEmergencies, sound, switchSound, countInTitle }),
    [emergencies, isKnown, readEmergencies, sound, switchSound],
  );
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

function useSound() {
  const [sound, setSound] = useState<SoundState>('off');
  const opened = useRef<Sound>(undefined);
  useEffect(() => {
    opened.current = openSound(setSound);
    return () => opened.current?.stop();
  }, []);
  const ring = useCallback((kind: ToneKind) => opened.current?.ring(kind), []);
  const switchSound = useCallback((on: boolean) => opened.current?.switchOn(on), []);
  return { sound, switchSound, ring };
}

/** Rings until no emergency waits; from the beginning again for a further one. */
function useTone(emergencies: readonly RequestItem[], sound: SoundState, ring: (kind: ToneKind) => void) {
  const newest = emergencies.at(-1)?.id;
  const plays = sound === 'here';
  useEffect(() => {
    if (newest && plays) return repeat(() => ring('emergency'));
  }, [newest, plays, ring]);
}

/** Shows one in the tab that holds the stream, and closes it with the alarm. */
function useEmergencyNotification(emergencies: readonly RequestItem[]) {
  const { leads } = useConnection();
  const newest = emergencies.at(-1);
  const text = newest ? alarmPlace(newest) : '';
  useEffect(() => {
    if (!newest || !leads()) return;
    const more = emergencies.length > 1 ? ` ${emergencies.length} emergencies wait.` : '';
    const body = `Nobody has taken it yet.${more}`;
    return notify({ title: `EMERGENCY ${text}`, body, tag: 'emergency', stays: true });
  }, [newest?.id]);
}
