// Runs calls whose errors are shown above what they belong to.
import { useCallback, useState } from 'react';
import { errorMessage } from './use-submit';

/**
 * `attempt` runs a job and returns whether it succeeded; `alert` is why the last one failed, or
 * empty; `busy`: one is running.
 */
export function useAttempt() {
  const [alert, setAlert] = useState('');
  const [busy, setBusy] = useState(false);
  const attempt = useCallback(async (job: () => Promise<unknown>): Promise<boolean> => {
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
  }, []);
  return { alert, setAlert, busy, attempt };
}
