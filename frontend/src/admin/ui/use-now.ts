// The current time of the server, updated every 30 s, for relative times.
import { useEffect, useState } from 'react';
import { onClockChange, serverNow } from '../../api/server-clock';

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
