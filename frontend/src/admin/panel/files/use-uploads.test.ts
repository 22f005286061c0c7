// Which events of the history are those of the files that were just added.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { addedEvents } from './use-uploads';

const event = (id: number, verb: string, key: string) =>
  ({ id, verb, at: '2026-11-21T03:04:05.678Z', detail: { key, name: key } }) as HistoryEvent;

it('takes the newest adding of each file, in the order of adding', () => {
  const history = [
    event(1, 'file_added', 'q/a.pdf'),
    event(2, 'file_removed', 'q/a.pdf'),
    event(3, 'file_added', 'q/b.pdf'),
    event(4, 'file_added', 'q/a.pdf'),
    event(5, 'noted', 'q/c.pdf'),
  ];
  expect(addedEvents(history, ['q/a.pdf', 'q/b.pdf', 'q/c.pdf']).map(({ id }) => id)).toEqual([4, 3]);
});
