// Whether the window has room for a form and its preview beside each other.
import { useEffect, useState } from 'react';

const wideEnough = '(min-width: 75em)';

export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(wideEnough).matches);
  useEffect(() => {
    const query = matchMedia(wideEnough);
    const follow = () => setWide(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return wide;
}
