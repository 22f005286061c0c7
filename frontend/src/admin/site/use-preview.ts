// The address of a preview that is shown in a frame.
import { useEffect, useRef, useState } from 'react';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';

type Make = (token: string) => Promise<{ url: string }>;

/** Renewed before it ends, which is after 15 minutes. */
const renewAfter = 10 * 60_000;

/**
 * Makes a preview anew when `of` changes, which names what it shows, and before it ends; then the
 * frame is loaded again. Without `of` the preview stays as it is. `first` has something to show
 * until the first one is made, at the same address.
 */
export function usePreview(make: Make, of: string | undefined, first?: Make) {
  const { manager } = useAuth();
  const frame = useRef<HTMLIFrameElement>(null);
  const [address, setAddress] = useState('');
  /** How often it was made: what the frame does not load again is loaded anew. */
  const [made, setMade] = useState(0);
  const [problem, setProblem] = useState('');
  const begun = useRef(false);
  /** Whether the frame has loaded a page, and whether that is older than the newest preview. */
  const isLoaded = useRef(false);
  const isOld = useRef(false);
  // Begun again before its first page has come, the frame would stay empty.
  const refresh = () => {
    if (isLoaded.current) frame.current?.contentWindow?.location.reload();
    else isOld.current = frame.current !== null;
  };
  const loaded = () => {
    isLoaded.current = true;
    if (isOld.current) frame.current?.contentWindow?.location.reload();
    isOld.current = false;
  };
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
          refresh();
        })
        .catch((error) => wanted && setProblem(errorMessage(error)));
    const begin = async () => {
      if (first && !begun.current)
        await manager.withToken(first).then(
          ({ url }) => wanted && setAddress(url),
          () => {},
        );
      begun.current = true;
      if (wanted) await renew();
    };
    begin();
    const timer = setInterval(renew, renewAfter);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [manager, of]);
  return { frame, loaded, address, made, problem };
}
