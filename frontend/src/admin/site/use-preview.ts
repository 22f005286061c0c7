// The address of a preview that is shown in a frame.
import { useEffect, useRef, useState } from 'react';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';

/** Renewed before it ends, which is after 15 minutes. */
const renewAfter = 10 * 60_000;

/**
 * Makes a preview anew when `of` changes, which names what it shows, and before it ends; then the
 * frame is loaded again. Without `of` the preview stays as it is.
 */
export function usePreview(make: (token: string) => Promise<{ url: string }>, of: string | undefined) {
  const { manager } = useAuth();
  const frame = useRef<HTMLIFrameElement>(null);
  const [address, setAddress] = useState('');
  /** How often it was made: what the frame does not load again is loaded anew. */
  const [made, setMade] = useState(0);
  const [problem, setProblem] = useState('');
  const latest = useRef(make);
  latest.current = make;
  useEffect(() => {
    if (of === undefined) return;
    let wanted = true;
    const renew = () =>
      manager
        .withToken((token) => latest.current(token))
        .then(({ url }) => {
          if (!wanted) return;
          setProblem('');
          setAddress(url);
          setMade((count) => count + 1);
          frame.current?.contentWindow?.location.reload();
        })
        .catch((error) => wanted && setProblem(errorMessage(error)));
    renew();
    const timer = setInterval(renew, renewAfter);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [manager, of]);
  return { frame, address, made, problem };
}
