// Saves what is typed after a pause, and at once when the view is left or the page is closed.
import { useCallback, useEffect, useRef } from 'react';
import type { InTurn } from './use-attempt';

type Saving<T> = {
  /** Milliseconds without a change after which it is saved. */
  pause: number;
  /** Runs one call after the other, so that each has the revision of the one before. */
  inTurn: InTurn;
  /** With `keepalive` the call goes on although the page is closed. */
  save(keepalive: boolean): Promise<T>;
};

/** `saveNow` throws what `save` throws; `saveLater` is called after each change. */
export function useSaveLater<T>({ pause, inTurn, save }: Saving<T>) {
  const latest = useRef(save);
  latest.current = save;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saveNow = useCallback(
    (keepalive = false) => {
      clearTimeout(timer.current);
      return inTurn(() => latest.current(keepalive));
    },
    [inTurn],
  );
  const saveQuietly = useCallback((keepalive: boolean) => void saveNow(keepalive).catch(() => {}), [saveNow]);
  useEffect(() => {
    const hide = () => saveQuietly(true);
    addEventListener('pagehide', hide);
    return () => {
      removeEventListener('pagehide', hide);
      saveQuietly(false);
    };
  }, [saveQuietly]);
  function saveLater() {
    clearTimeout(timer.current);
    timer.current = setTimeout(saveQuietly, pause, false);
  }
  return { saveNow, saveLater };
}
