// Runs jobs one after the other: calls at once may reach the server, and be answered, in any order.
import { useState } from 'react';

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
