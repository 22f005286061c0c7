// Calls a function when the page is shown again, and when the browser goes online or offline. With
// `timed`, also every 20 s while the page is visible: changes do not arrive by the event stream
// then.

import { useEffect, useRef, useState } from 'react';
import { onClockChange, serverNow } from '../../api/server-clock';

const pollInterval = 20_000;

export function usePolling(poll: () => void, timed: boolean) {
  const last = useRef(poll);
  last.current = poll;
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const restartTimer = () => {
      clearInterval(timer);
      const wanted = timed && document.visibilityState === 'visible';
      if (wanted) timer = setInterval(() => last.current(), pollInterval);
    };
    const refresh = () => {
      restartTimer();
      if (document.visibilityState === 'visible') last.current();
    };
    restartTimer();
    document.addEventListener('visibilitychange', refresh);
    addEventListener('online', refresh);
    addEventListener('offline', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
      removeEventListener('online', refresh);
      removeEventListener('offline', refresh);
    };
  }, [timed]);
}

/** The current time of the server, updated every 30 s, for relative times. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const update = () => setNow(serverNow());
    const timer = setInterval(update, 30_000);
    const stop = onClockChange(update);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(timer);
      stop();
      document.removeEventListener('visibilitychange', update);
    };
  }, []);
  return now;
}
