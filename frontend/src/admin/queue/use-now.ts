// The time, told anew each half minute, for everything that says how long ago something was.
import { useEffect, useState } from 'react';

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const tell = () => setNow(Date.now());
    const timer = setInterval(tell, 30_000);
    document.addEventListener('visibilitychange', tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tell);
    };
  }, []);
  return now;
}
