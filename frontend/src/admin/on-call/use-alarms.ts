// The newest alarms, read again every 20 s, and soon while one is being sent.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type AlarmItem, listAlarms } from '../../api/on-call';
import { serverNow } from '../../api/server-clock';
import { coalesce } from '../live/coalesce';
import { useAuth } from '../session/provider';
import { useAttempt } from '../ui/use-attempt';
import { usePolling } from '../ui/use-polling';

/** The pause before an alarm that is being sent is read again, and how long that goes on, in ms. */
const [soon, giveUp] = [2000, 60_000];

const isBeingSent = ({ created_at, state, messages }: AlarmItem) =>
  state === 'raised' &&
  serverNow() - Date.parse(created_at) < giveUp &&
  (!messages.length || messages.some((it) => it.state === 'due'));

export function useAlarms() {
  const { manager } = useAuth();
  const [alarms, setAlarms] = useState<AlarmItem[]>([]);
  const { alert, attempt } = useAttempt();
  const change = useCallback(
    (job: (token: string) => Promise<{ alarms: AlarmItem[] }>) =>
      attempt(async () => setAlarms((await manager.withToken(job)).alarms)),
    [manager, attempt],
  );
  // At most one reading is before a change in its queue.
  const read = useMemo(
    () =>
      coalesce<void>(async () => {
        await change(listAlarms);
      }),
    [change],
  );
  useEffect(() => read([]), [read]);
  usePolling(() => read([]), true);
  useEffect(() => {
    if (!alarms.some(isBeingSent)) return;
    const timer = setTimeout(() => read([]), soon);
    return () => clearTimeout(timer);
  }, [alarms, read]);
  return { alarms, alert, change };
}

export type AlarmStore = ReturnType<typeof useAlarms>;
