// The alarm above all views of the dashboard: which emergencies wait, the tone, the notification
// and the title of the tab.

import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listRequests, type RequestItem } from '../../api/inbox';
import { serverNow } from '../../api/server-clock';
import { getJson, setItem } from '../../safe-storage';
import { useConnection } from '../live/live-provider';
import { useAuth } from '../session/provider';
import { filledContext } from '../ui/filled-context';
import { useCoalesced } from '../ui/use-attempt';
import { alarming, alarmPlace, alarmTitle, emergencyQuery, notify } from './emergencies';
import { openSound, type Sound, type SoundState } from './sound';
import type { ToneKind } from './tones';
import { useNews } from './use-news';

type Alarms = {
  /** Emergencies that were not taken, called or opened, the longest waiting first. */
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

const [Provider, useAlarms] = filledContext<Alarms>('AlarmProvider');

export { useAlarms };

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
  return <Provider value={value}>{children}</Provider>;
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

// When the tone of an emergency is heard again: every ten seconds for a minute, then each minute.

const often = 10_000;
const minute = 60_000;

/** Calls `ring` now and again and again until the returned function is called. */
export function repeat(ring: () => void): () => void {
  let passed = 0;
  let timer: ReturnType<typeof setTimeout>;
  const next = () => {
    ring();
    const pause = passed < minute ? often : minute;
    passed += pause;
    timer = setTimeout(next, pause);
  };
  next();
  return () => clearTimeout(timer);
}

// The title of the tab: the alarm in its place, or a count before it, for a dashboard that is open
// behind other windows.

/** `alarm`: empty without one. */
function useTitle(alarm: string, count: number) {
  /** The title of the page, and what was written in its place. */
  const plain = useRef('');
  const written = useRef('');
  useEffect(() => {
    const element = document.querySelector('title');
    if (!element) return;
    const write = () => {
      if (document.title !== written.current) plain.current = document.title;
      const next = alarm || (count > 0 ? `(${count}) ${plain.current}` : plain.current);
      written.current = next;
      if (document.title !== next) document.title = next;
    };
    write();
    // Going to another page writes its title.
    const observer = new MutationObserver(write);
    observer.observe(element, { childList: true });
    return () => observer.disconnect();
  }, [alarm, count]);
  useEffect(
    () => () => {
      if (document.title === written.current) document.title = plain.current;
    },
    [],
  );
}

// The emergencies that raise the alarm, read again when one changes.

/** Milliseconds after which they are read again without the stream, or after a failure. */
const interval = 20_000;
const retryAfter = 5000;
/** How many opened emergencies a browser remembers. */
const maxOpened = 200;
const openedKey = 'alarms-opened';
const none: RequestItem[] = [];

/** Those that wait, whether the server has said so yet, and a function that reads them again. */
function useEmergencies(): { waiting: RequestItem[]; isKnown: boolean; read(): void } {
  const { manager } = useAuth();
  const { connected, presence, follow } = useConnection();
  const [answer, setAnswer] = useState<RequestItem[]>();
  const found = answer ?? none;
  const [opened, setOpened] = useState<readonly string[]>(() => getJson('localStorage', openedKey, []));
  const retry = useRef<ReturnType<typeof setTimeout>>(undefined);

  const read = useCoalesced(async () => {
    clearTimeout(retry.current);
    try {
      const page = await manager.withToken(listRequests, emergencyQuery);
      setAnswer(page.requests);
    } catch {
      // The list says that the server cannot be reached.
      retry.current = setTimeout(read, retryAfter);
    }
  });
  useEffect(() => () => clearTimeout(retry.current), []);
  useEffect(
    () =>
      follow((event) => {
        if (event.type === 'resync' || (event.type === 'change' && event.emergency)) read();
      }),
    [follow, read],
  );
  // At the start, before the stream; also while the page is hidden: an alarm must be heard then.
  useEffect(() => {
    if (connected) return;
    read();
    const timer = setInterval(read, interval);
    return () => clearInterval(timer);
  }, [connected, read]);

  // Who opens one has seen it; it may have been closed again since.
  useEffect(() => {
    const seen = found.map(({ id }) => id).filter((id) => presence.get(id)?.length);
    setOpened((known) => {
      const fresh = seen.filter((id) => !known.includes(id));
      if (fresh.length === 0) return known;
      const all = [...known, ...fresh].slice(-maxOpened);
      setItem('localStorage', openedKey, JSON.stringify(all));
      return all;
    });
  }, [found, presence]);

  const waiting = useMemo(() => alarming(found, new Set(opened), serverNow()), [found, opened]);
  return { waiting, isKnown: answer !== undefined, read };
}
