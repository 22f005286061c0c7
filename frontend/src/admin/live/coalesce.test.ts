// Changes that arrive while the list is read are merged into the next read.
import { expect, it } from 'vitest';
import { coalesce } from '../ui/use-attempt';

it('runs at once, then once for all that arrived during the run', async () => {
  const runs: number[][] = [];
  let finish = () => {};
  const add = coalesce<number>((items) => {
    runs.push(items);
    return new Promise((done) => {
      finish = done;
    });
  });
  add([1]);
  add([2]);
  add([3, 4]);
  expect(runs).toEqual([[1]]);
  finish();
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(runs).toEqual([[1], [2, 3, 4]]);
  finish();
  await new Promise(setImmediate);
  add([5]);
  expect(runs).toHaveLength(3);
});
