// One list for every kind of change: the newest is undone first.
import { expect, it } from 'vitest';
import { byRequest, changeOf, type Undoable, type UndoList, withChange, withoutChange } from './undo';

const change = (id: string, event: number, more: Partial<Undoable> = {}): Undoable => ({
  id,
  event,
  undone: `${id} is as before.`,
  ...more,
});

it('has the newest change first, whatever its kind, and forgets what was undone or is too old', () => {
  const accept = change('first', 1);
  const reply = change('second', 2, { time: 10_000 });
  let list: UndoList = withChange(withChange([], accept), reply);
  expect(list[0]).toBe(reply);
  list = withoutChange(list, reply);
  expect(list[0]).toBe(accept);
  expect(withoutChange(list, accept)).toEqual([]);
});

it('offers the newest change of a request in its row, and a change of many in no row', () => {
  const [accept, call] = [change('first', 1), change('first', 2)];
  const bulk = change('second', 0, { bulk: { token: '7', count: 3 } });
  const rows = byRequest([bulk, call, accept]);
  expect([...rows]).toEqual([['first', call]]);
});

it('knows the change of an event of the history', () => {
  const call = change('first', 2);
  expect(changeOf([call], 'first', 2)).toBe(call);
  expect(changeOf([], 'first', 2)).toMatchObject({ id: 'first', event: 2 });
});
