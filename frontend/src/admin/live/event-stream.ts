// Parses `text/event-stream` (HTML Living Standard, section 9.2.6), read by fetch: an EventSource
// cannot send the bearer token.

export type StreamEvent = { id: string; event: string; data: string };

/**
 * Returns a function that takes the stream's text in any pieces and calls `handle` for each
 * complete event, and for an id without an event (its `data` is empty).
 */
export function createEventParser(handle: (event: StreamEvent) => void): (text: string) => void {
  let rest = '';
  let id = '';
  let handledId = '';
  let event = '';
  let data: string[] = [];

  const takeLine = (line: string) => {
    if (line === '') {
      if (data.length > 0 || id !== handledId)
        handle({ id, event: event || 'message', data: data.join('\n') });
      handledId = id;
      event = '';
      data = [];
      return;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value ?? '';
    else if (field === 'event') event = value ?? '';
    else if (field === 'data') data.push(value ?? '');
  };

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(line);
  };
}
