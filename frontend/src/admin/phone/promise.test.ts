// What was promised on the phone.
import { expect, it } from 'vitest';
import { promiseOf } from './promise-field';

const now = new Date('2026-11-26T10:00');
const at = (text: string) => new Date(text).toISOString();

it.each([
  [{ promise: 'now' }, {}],
  [{ promise: 'today' }, { promise: at('2026-11-26T17:00') }],
  [{ promise: 'time', promiseAt: '2026-11-27T08:30' }, { promise: at('2026-11-27T08:30') }],
  [{ promise: 'time', promiseAt: '' }, 'Choose the day and the time of the answer.'],
  [{ promise: 'time', promiseAt: '2026-11-26T09:00' }, 'The time of the answer has passed.'],
  [{ emergencyContact: 'on', promise: 'today', alarm: 'no' }, {}],
  [{ emergencyContact: 'on', promise: 'now', alarm: 'yes' }, { alarm: true }],
  [{ promise: 'now', alarm: 'yes' }, {}],
])('%j is %j', (typed, promise) => {
  expect(promiseOf(typed as Record<string, string>, now)).toEqual(promise);
});

it('gives an hour where the day is nearly over', () => {
  expect(promiseOf({ promise: 'today' }, new Date('2026-11-26T16:30'))).toEqual({
    promise: at('2026-11-26T17:30'),
  });
});
