// Runs calls whose errors are shown above what they belong to.
import { useCallback, useRef, useState } from 'react';
import { errorMessage } from './use-submit';

/**
 * `attempt` runs a job after those before it, so that the newest answer is shown last, and returns
 * whether it succeeded; `alert` is why the last one failed, or empty; `busy`: one is running.
 */
export function useAttempt() {
  const [alert, setAlert] = useState('');
  const [busy, setBusy] = useState(false);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const attempt = useCallback((job: () => Promise<unknown>): Promise<boolean> => {
    const run = async () => {
      setAlert('');
      setBusy(true);
      try {
        await job();
        return true;
      } catch (error) {
        setAlert(errorMessage(error));
        return false;
      } finally {
        setBusy(false);
      }
    };
    const done = queue.current.then(run);
    queue.current = done;
    return done;
  }, []);
  return { alert, setAlert, busy, attempt };
}
