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
