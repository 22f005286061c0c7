// Runs calls whose errors are shown above what they belong to.

import { useCallback, useMemo, useRef, useState } from 'react';
import { errorMessage } from './use-submit';

// Runs jobs one after the other: calls at once may reach the server, and be answered, in any order.

export type InTurn = <T>(job: () => Promise<T>) => Promise<T>;

/** A function that runs a job after those before it, also after one that fails. */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const done = last.then(job);
    last = done.catch(() => {});
    return done;
  };
}

export function useInTurn(): InTurn {
  return useState(createInTurn)[0];
}

/**
 * `attempt` runs a job after those before it, so that the newest answer is shown last, and returns
 * whether it succeeded; `alert` is why the last one failed, or empty; `busy`: one is running.
 * `inTurn` runs a job that reports its failure itself.
 */
export function useAttempt() {
  const [alert, setAlert] = useState('');
  const [busy, setBusy] = useState(false);
  const inTurn = useInTurn();
  const attempt = useCallback(
    (job: () => Promise<unknown>): Promise<boolean> =>
      inTurn(async () => {
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
      }),
    [inTurn],
  );
  return { alert, setAlert, busy, attempt, inTurn };
}

// Runs a job at once, and merges calls during a run into the next run: a bulk change of 500
// requests reads the list once or twice, not 500 times.

/** A function that runs `job` with the items of all calls since its last run began. */
export function coalesce<T>(job: (items: T[]) => Promise<void>): (items: T[]) => void {
  let waiting: T[] | undefined;
  let running = false;
  const run = async (items: T[]) => {
    running = true;
    try {
      await job(items);
    } finally {
      running = false;
      const next = waiting;
      waiting = undefined;
      if (next) run(next);
    }
  };
  return (items) => {
    if (!running) run(items);
    else waiting = [...(waiting ?? []), ...items];
  };
}

/** A function that stays the same and runs the latest `job`: once more for calls during a run. */
export function useCoalesced(job: () => Promise<unknown>): () => void {
  const latest = useRef(job);
  latest.current = job;
  return useMemo(() => {
    const run = coalesce<void>(async () => void (await latest.current()));
    return () => run([]);
  }, []);
}
