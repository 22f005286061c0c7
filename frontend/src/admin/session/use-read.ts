// What a call of the API returns, for a part of the page.
import { useCallback, useEffect, useState } from 'react';
import { useAttempt } from '../ui/use-attempt';
import { errorMessage } from '../ui/use-submit';
import { useAuth } from './provider';

/**
 * Read once when the part is shown, and when its arguments change; `read` is the same function at
 * each rendering. `found` is undefined until it was read, and then the answer before until the next
 * one arrives; `problem` is why it could not be read, or empty; `retry` reads it again.
 */
export function useRead<A extends unknown[], T>(read: (token: string, ...args: A) => Promise<T>, ...args: A) {
  const { manager } = useAuth();
  const [found, setFound] = useState<{ asked: string; answer: T }>();
  const [problem, setProblem] = useState('');
  const [attempt, setAttempt] = useState(0);
  const asked = JSON.stringify(args);
  useEffect(() => {
    let wanted = true;
    setProblem('');
    manager.withToken(read, ...args).then(
      (answer) => wanted && setFound({ asked, answer }),
      (error) => wanted && setProblem(errorMessage(error)),
    );
    return () => {
      wanted = false;
    };
  }, [manager, read, asked, attempt]);
  return {
    found: found?.answer,
    busy: !problem && found?.asked !== asked,
    problem,
    retry: () => setAttempt((count) => count + 1),
  };
}

/**
 * Read when the part is shown and after each of its changes, one call after the other; `read` is
 * the same function at each rendering. `alert` is why the last call failed, or empty.
 */
export function useReadAgain<T>(read: (token: string) => Promise<T>) {
  const { manager } = useAuth();
  const [found, setFound] = useState<T>();
  const { alert, setAlert, busy, attempt } = useAttempt();
  const load = useCallback(async () => setFound(await manager.withToken(read)), [manager, read]);
  const retry = useCallback(() => void attempt(load), [attempt, load]);
  useEffect(retry, [retry]);
  return {
    found,
    alert,
    setAlert,
    busy,
    retry,
    load,
    /** Runs a change and reads it again; returns whether both succeeded. */
    change: (job: () => Promise<unknown>) =>
      attempt(async () => {
        await job();
        await load();
      }),
  };
}
