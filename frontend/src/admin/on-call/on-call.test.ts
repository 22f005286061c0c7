// @vitest-environment happy-dom
// Changes of who is on call, of alarms and of webhooks: one after the other, so that the newest
// answer is shown, and nothing that is not saved is lost by them.
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

/** What the server has, as it answers. */
let state: ReturnType<typeof empty>;

function empty() {
  return {
    calendar: '/api/calendar/first.ics',
    calls: true,
    sms: false,
    overrides: [],
    people: [{ id: 'a', devices: 0, email: 'ana@guardpost.example', phone: '' }],
    rota: { first_day: '2026-11-23', shifts: [] as object[], version: 1, weeks: 1 },
    spans: [],
    time_zone: 'America/Chicago',
  };
}

/** Sends the answers that wait. */
let waiting: (() => void)[];
const wait = () => new Promise<void>((done) => waiting.push(done));

/** Sends so many answers, each time the newest that waits. */
async function send(count: number) {
  for (let sent = 0; sent < count; sent += 1) {
    await vi.waitFor(() => expect(waiting).not.toEqual([]));
    waiting.pop()?.();
    await new Promise(setImmediate);
  }
}

const shift = { person: 'a', week: 0, weekday: 0, from: '08:00', until: '18:00' };

beforeEach(async () => {
  startServer();
  state = empty();
  waiting = [];
  answers['GET /api/admin/on-call'] = () => [200, state];
  answers['GET /api/admin/alarms'] = () => [200, { alarms: [] }];
  answers['GET /api/admin/webhooks'] = () => [200, { webhooks: [], events: [] }];
  // A colleague has saved a shift since.
  answers['POST /api/admin/on-call/calendar'] = () => {
    const rota = { ...state.rota, shifts: [{ ...shift, weekday: 3 }], version: 2 };
    state = { ...state, calendar: '/api/calendar/second.ics', rota };
    return [200, state];
  };
  signedIn();
  await open('/admin/on-call');
  await says('first.ics');
});
afterEach(stopServer);

const shifts = () => [...document.querySelectorAll('fieldset.shift')];
const days = () => shifts().map((row) => [...row.querySelectorAll('select')].at(-1)?.value);

/** Adds a shift to the empty schedule, of which one button shows. */
async function addShift() {
  expect(document.body.textContent).toContain('There is no on-call schedule yet.');
  button('Add a rotation').click();
  await vi.waitFor(() => button('Remove').click());
  await vi.waitFor(() => button('Add a single shift').click());
}

it('stores the number that was saved last, however long the first takes', async () => {
  const stored: string[] = [];
  answers['PUT /api/admin/on-call/people/a/phone'] = async ({ phone = '' }) => {
    await wait();
    stored.push(phone);
    return [200, { ...state, people: [{ ...state.people[0], phone }] }];
  };
  const field = document.querySelector('input[name="phone"]') as HTMLInputElement;
  for (const phone of ['+17135550100', '+17135550101']) {
    field.value = phone;
    field.form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  }
  await send(2);
  expect(stored).toEqual(['+17135550100', '+17135550101']);
});

it('keeps shifts that are not saved when another change shows those of a colleague', async () => {
  const versions: unknown[] = [];
  answers['PUT /api/admin/on-call/rota'] = ({ version }) => {
    versions.push(version);
    return [409, { detail: 'A colleague has changed the schedule.' }];
  };
  await addShift();
  await vi.waitFor(() => expect(shifts()).toHaveLength(1));
  button('New address').click();
  await says('second.ics');
  expect(shifts()).toHaveLength(1);
  expect(days()).toEqual(['0']);
  button('Save schedule').click();
  await says('A colleague has changed the schedule.');
  expect(versions).toEqual([1]);
  expect(shifts()).toHaveLength(1);
});

it('shows what was saved, and what a colleague has saved where nothing was changed', async () => {
  answers['PUT /api/admin/on-call/rota'] = ({ version, ...rota }) => {
    state = { ...state, rota: { ...state.rota, ...rota, version: Number(version) + 1 } };
    return [200, state];
  };
  await addShift();
  await vi.waitFor(() => expect(shifts()).toHaveLength(1));
  button('Save schedule').click();
  await says('Schedule saved');
  button('New address').click();
  await says('second.ics');
  await vi.waitFor(() => expect(days()).toEqual(['3']));
});

it('shows no alarm as open that was acknowledged while the alarms were read', async () => {
  let alarm = {
    id: 7,
    kind: 'overdue',
    state: 'raised',
    created_at: '2026-11-21T03:04:05.678Z',
    acknowledged_by: null as string | null,
    messages: [{ state: 'sent', channel: 'push', person: { id: 'a' }, created_at: '' }],
    webhooks: [],
    round: 1,
  };
  const list = () => ({ alarms: [alarm] });
  answers['GET /api/admin/alarms'] = () => [200, list()];
  dispatchEvent(new Event('online'));
  await says('not acknowledged');
  answers['GET /api/admin/alarms'] = async () => {
    const now = list();
    await wait();
    return [200, now];
  };
  answers['POST /api/admin/alarms/7/acknowledge'] = async () => {
    alarm = { ...alarm, state: 'acknowledged', acknowledged_by: 'a' };
    await wait();
    return [200, list()];
  };
  dispatchEvent(new Event('online'));
  button('Acknowledge').click();
  await send(2);
  await says('acknowledged by');
});

it('renews the secret of a webhook once for two presses', async () => {
  const webhook = { id: 'w', name: 'Books', url: '', shape: 'standard', events: [], is_on: true };
  answers['GET /api/admin/webhooks'] = () => [200, { webhooks: [webhook], events: [] }];
  let renewals = 0;
  answers['POST /api/admin/webhooks/w/secret'] = async () => {
    renewals += 1;
    const secret = `secret ${renewals}`;
    await wait();
    return [200, { id: 'w', secret }];
  };
  await open('/admin/on-call');
  await says('Books');
  // The list of webhooks is no longer being read.
  await new Promise(setImmediate);
  button('New secret').click();
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  button('New secret').click();
  await send(1);
  await says('secret 1');
  expect(renewals).toBe(1);
});
