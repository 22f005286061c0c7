// The event stream's parser, at every split of the text.
import { expect, it } from 'vitest';
import { createEventParser, type StreamEvent } from './live-stream';

function parse(...pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const push = createEventParser((event) => events.push(event));
  for (const piece of pieces) push(piece);
  return events;
}

const text = ': heartbeat\n\nid: 7\nevent: change\ndata: {"id":"a"}\n\nevent: resync\ndata: {}\n\n';

it('reads events with their ids, and no comments', () => {
  expect(parse(text)).toEqual([
    { id: '7', event: 'change', data: '{"id":"a"}' },
    { id: '7', event: 'resync', data: '{}' },
  ]);
});

it('reads the same events from text that is cut anywhere', () => {
  for (let at = 0; at <= text.length; at += 1)
    expect(parse(text.slice(0, at), text.slice(at))).toEqual(parse(text));
  expect(parse(...text)).toEqual(parse(text));
});

it('accepts every line ending, and joins data lines', () => {
  expect(parse('data: a\r\ndata: b\r\n\r\n', 'data:c\n\n')).toEqual([
    { id: '', event: 'message', data: 'a\nb' },
    { id: '', event: 'message', data: 'c' },
  ]);
});

it('drops an event that is not finished', () => {
  expect(parse('event: change\ndata: {}\n')).toEqual([]);
});

it('tells an id that comes without an event', () => {
  expect(parse('id: 12\n\n', ': heartbeat\n\n')).toEqual([{ id: '12', event: 'message', data: '' }]);
});
