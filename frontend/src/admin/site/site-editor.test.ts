// @vitest-environment happy-dom
// What is typed in the site's editor stays in its field while it is saved and read again.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
} from '../testing/admin-page-fixture';

const section = { key: 'insurance', changed: false, samples: 0, schedule: null };
const at = '2026-11-21T03:04:05.678Z';
/** What the server has stored. */
let lead: string;
let number: number;
/** Sends the readings of the content that wait, by their order, once `late` is set. */
let sent: (() => void)[];
let late: boolean;
/** Sends an event of the stream of changes. */
let live: (text: string) => void;

function content() {
  const value = { heading: 'Insurance', lead, coverages: [], additional: [], steps: [] };
  const draft = number ? { number, at, by: 'ana@guardpost.example' } : null;
  return { version: 0, to_fill: [], sections: [{ ...section, value, draft }] };
}

beforeEach(() => {
  startServer();
  [lead, number, sent, late] = ['Old', 0, [], false];
  answers['GET /api/admin/site/history'] = () => [200, { versions: [] }];
  answers['GET /api/admin/site'] = async () => {
    const now = content();
    if (late) await new Promise<void>((done) => sent.push(done));
    return [200, now];
  };
  answers['PUT /api/admin/site/drafts/insurance'] = (body) => {
    const draft = body as unknown as { number: number; value: { lead: string } };
    if (draft.number !== number) return [409, { code: 'edited_meanwhile', detail: 'Changed since.' }];
    number += 1;
    lead = draft.value.lead;
    return [200, { number }];
  };
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    if (path !== '/api/admin/live') return fetch(path, init);
    const start = (stream: ReadableStreamDefaultController<Uint8Array>) => {
      live = (text) => stream.enqueue(new TextEncoder().encode(text));
    };
    return Promise.resolve(new Response(new ReadableStream({ start })));
  });
  signedIn();
});
afterEach(stopServer);

const field = () => document.getElementById('site-lead') as HTMLTextAreaElement;
const waits = (count: number) => vi.waitFor(() => expect(sent).toHaveLength(count));

function type(text: string) {
  field().value = text;
  field().dispatchEvent(new Event('input', { bubbles: true }));
}

async function openEditor() {
  await open('/admin/site?section=insurance');
  await says('Save draft');
  await vi.waitFor(() => expect(field().value).toBe('Old'));
}

it('goes on from the stored draft before it is read again', async () => {
  await openEditor();
  late = true;
  type('New');
  button('Save draft').click();
  await waits(1);
  expect(field().value).toBe('New');
  type(`${field().value}!`);
  late = false;
  sent[0]?.();
  await vi.waitFor(() => expect(button('Save draft').hasAttribute('disabled')).toBe(false));
  button('Save draft').click();
  await vi.waitFor(() => expect(lead).toBe('New!'));
  expect(field().value).toBe('New!');
  expect(document.body.textContent).not.toContain('Changed since.');
});

it('shows no reading that is older than the stored draft', async () => {
  await openEditor();
  await vi.waitFor(() => expect(live).toBeDefined());
  late = true;
  live('event: site\ndata: {}\n\n');
  await waits(1);
  type('New');
  button('Save draft').click();
  await waits(2);
  sent[1]?.();
  await says('Draft saved');
  sent[0]?.();
  live('event: site\ndata: {}\n\n');
  await waits(3);
  expect(field().value).toBe('New');
});

it('shows the published page until the drafts are rendered, and those again soon after a keystroke', async () => {
  const asked: (() => void)[] = [];
  answers['POST /api/admin/site/preview'] = async () => {
    await new Promise<void>((done) => asked.push(done));
    return [201, { url: 'about:blank' }];
  };
  const note = 'Published page. The drafts follow.';
  await openEditor();
  if (!document.querySelector('.site-pane')) button('Preview').click();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.();
  // There is a page in the frame while the drafts are rendered.
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await says(note);
  expect(document.querySelector('iframe')?.getAttribute('src')).toBe('about:blank?path=/insurance');
  asked[1]?.();
  await vi.waitFor(() => expect(document.body.textContent).not.toContain(note));
  vi.useFakeTimers();
  type('New');
  await vi.advanceTimersByTimeAsync(1500);
  vi.useRealTimers();
  expect(lead).toBe('New');
  expect(asked, 'no other wait comes between').toHaveLength(3);
});

it('says with a field how long its text is and that it is still a sample', async () => {
  await openEditor();
  type('Sample: a lead');
  await vi.waitFor(() => {
    const hints = field().getAttribute('aria-describedby')?.split(' ') ?? [];
    const words = hints.map((id) => document.getElementById(id)?.textContent).join(' ');
    expect(words).toMatch(/14 of \d+ characters.*Still a sample: write your own words\./);
  });
});
