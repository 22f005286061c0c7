import { expect, it } from 'vitest';
import { createInTurn } from './use-attempt';

it('runs a job after the one before it, also if that one fails, and returns what it gives', async () => {
  const inTurn = createInTurn();
  const begun: string[] = [];
  let fail = (_: Error) => {};
  const first = inTurn(() => {
    begun.push('first');
    return new Promise<string>((_, reject) => {
      fail = reject;
    });
  });
  const second = inTurn(async () => {
    begun.push('second');
    return 2;
  });
  await new Promise(setImmediate);
  expect(begun).toEqual(['first']);
  fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  expect(await second).toBe(2);
  expect(begun).toEqual(['first', 'second']);
});
