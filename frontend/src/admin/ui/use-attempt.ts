// Runs calls whose errors are shown above what they belong to.
import { useCallback, useState } from 'react';
import { errorMessage } from './use-submit';

/**
 * `attempt` runs a job and returns whether it succeeded; `alert` is why the last one failed, or
 * empty.
 */
export function useAttempt() {
  const [alert, setAlert] = useState('');
  const attempt = useCallback(async (job: () => Promise<unknown>): Promise<boolean> => {
    setAlert('');
    try {
      await job();
      return true;
    } catch (error) {
      setAlert(errorMessage(error));
      return false;
    }
  }, []);
  return { alert, setAlert, attempt };
}
