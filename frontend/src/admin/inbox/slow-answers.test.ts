// @vitest-environment happy-dom
// What a dispatcher does while the server answers a change of another request, or of this one.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  type Answer,
  answers,
  button,
  counts,
  open,
  quote,
  says,
  signedIn,
  startServer,
  stopServer,
  views,
} from '../testing/admin-page-fixture';

beforeEach(startServer);
afterEach(stopServer);

const held = { ...quote, held: true, held_reasons: [{ signal: 'marked' }] };
const other = { ...held, id: 'q2', reference: 'GP-3M8R', location: 'Waco, TX' };
const whole = { history: [], related: [], files: [] };

/** Makes the answer to a call wait until `come` is called with it. */
function later(call: string) {
  let come = (_: Answer) => {};
  const answer = new Promise<Answer>((done) => {
    come = done;
  });
  let asked = false;
  answers[call] = () => {
    asked = true;
    return answer;
  };
  return { come, asked: () => vi.waitFor(() => expect(asked).toBe(true)) };
}

/** Accepts the open request; the returned function lets the answer come. */
async function accept() {
  signedIn();
  const move = later('PATCH /api/admin/inbox/q1');
  await open('/admin?request=q1');
  await says('Panel is down');
  button('Accept').click();
  await move.asked();
  return async () => {
    move.come([200, { ...quote, status: 'in_progress' }]);
    await says('Status Updated');
  };
}

it('leaves the request open that was opened while another one was discarded', async () => {
  signedIn();
  const page = { requests: [held, other], next_cursor: null, counts, views };
  answers['GET /api/admin/inbox'] = () => [200, page];
  answers['GET /api/admin/inbox/q1'] = () => [200, { ...held, ...whole }];
  answers['GET /api/admin/inbox/q2'] = () => [200, { ...other, ...whole }];
  const discard = later('POST /api/admin/inbox/q1/discard');
  await open('/admin?view=held&request=q1');
  await says('Waco, TX');
  button('Discard').click();
  await discard.asked();
  history.pushState(null, '', '/admin?view=held&request=q2');
  await vi.waitFor(() => expect(document.querySelector('aside')?.textContent).toContain('Waco, TX'));
  discard.come([200, { ...held, status: 'cancelled' }]);
  await says('Discarded');
  expect(location.search).toBe('?view=held&request=q2');
});

it('leaves a discarded request, and one that could not be discarded stays open', async () => {
  signedIn();
  const page = { requests: [held, other], next_cursor: null, counts, views };
  answers['GET /api/admin/inbox'] = () => [200, page];
  answers['GET /api/admin/inbox/q1'] = () => [200, { ...held, ...whole }];
  answers['POST /api/admin/inbox/q1/discard'] = () => [503, { detail: 'Busy' }];
  await open('/admin?view=held&request=q1');
  await says('Waco, TX');
  button('Discard').click();
  await says('Not discarded');
  expect(location.search).toBe('?view=held&request=q1');
  answers['POST /api/admin/inbox/q1/discard'] = () => [200, { ...held, status: 'cancelled' }];
  button('Discard').click();
  await vi.waitFor(() => expect(location.search).toBe('?view=held'));
});

it('does not say that a request was not discarded where no answer came', async () => {
  signedIn();
  answers['GET /api/admin/inbox'] = () => [200, { requests: [held], next_cursor: null, counts, views }];
  answers['GET /api/admin/inbox/q1'] = () => [200, { ...held, ...whole }];
  answers['POST /api/admin/inbox/q1/discard'] = () => [0, {}];
  await open('/admin?view=held&request=q1');
  await says('Panel is down');
  button('Discard').click();
  await says('Not confirmed');
  await says('No answer came. It may have been done all the same: check before you try again.');
});

it('does not say that a request was not accepted where no answer came', async () => {
  signedIn();
  answers['PATCH /api/admin/inbox/q1'] = () => [0, {}];
  await open('/admin?request=q1');
  await says('Panel is down');
  button('Accept').click();
  await says('Not confirmed');
});

it('does not show an older list after a newer one', async () => {
  signedIn();
  const holding = (number: number) => ({
    requests: [held, other],
    next_cursor: null,
    counts,
    views: { ...views, held: number },
  });
  answers['GET /api/admin/inbox'] = () => [200, holding(9)];
  for (const request of [held, other])
    answers[`POST /api/admin/inbox/${request.id}/discard`] = () => [200, { ...request, status: 'cancelled' }];
  await open('/admin?view=held');
  await says('Waco, TX');
  const buttons = [...document.querySelectorAll('button')];
  const [first, second] = buttons.filter(({ textContent }) => textContent === 'Discard');
  const older = later('GET /api/admin/inbox');
  first?.click();
  await older.asked();
  answers['GET /api/admin/inbox'] = () => [200, holding(7)];
  second?.click();
  await says('Held 7');
  older.come([200, holding(8)]);
  await new Promise(setImmediate);
  await says('Held 7');
});

it('says that a reminder was not set while another change of its request runs', async () => {
  const answered = await accept();
  button('Remind me').click();
  await says('Or on');
  button('In 30 minutes').click();
  await says('Another change of this request is under way. Try again in a moment.');
  await answered();
});

it('says that a key did nothing while another change of its request runs', async () => {
  const answered = await accept();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true }));
  await says('Another change of this request is under way. Try again in a moment.');
  await answered();
});

it('takes an acceptance as confirmed from the answer on, before the list is read again', async () => {
  signedIn();
  const offer = { number: 'GP-2K7Q-1', state: 'accepted', is_unconfirmed: true };
  const accepted = { ...quote, status: 'in_progress', offer };
  answers['GET /api/admin/inbox'] = () => [200, { requests: [accepted], next_cursor: null, counts, views }];
  answers['POST /api/admin/offers/GP-2K7Q-1/confirm'] = () => [200, {}];
  await open('/admin');
  await says('Confirm staffing');
  const list = later('GET /api/admin/inbox');
  button('Confirm staffing').click();
  await says('The posts of GP-2K7Q are staffed.');
  await list.asked();
  expect(document.querySelector('.row')?.textContent).not.toContain('Confirm staffing');
  list.come([200, { requests: [], next_cursor: null, counts, views }]);
});

it('makes a change that is pressed before the list is read again after the one before', async () => {
  signedIn();
  const message = { ...quote, kind: 'message' };
  const page = { requests: [message], next_cursor: null, counts, views };
  answers['GET /api/admin/inbox'] = () => [200, page];
  answers['GET /api/admin/inbox/q1'] = () => [200, { ...message, ...whole }];
  answers['POST /api/admin/inbox/q1/quote'] = () => [200, { ...quote, event: 7 }];
  answers['POST /api/admin/inbox/q1/undo'] = () => [200, message];
  await open('/admin?request=q1');
  await says('Make it a quote request');
  const list = later('GET /api/admin/inbox');
  button('Make it a quote request q').click();
  await says('can have files and offers now');
  await list.asked();
  button('Undo').click();
  await says('is a contact message again');
  const again = later('POST /api/admin/inbox/q1/quote');
  button('Make it a quote request q').click();
  await again.asked();
  again.come([200, quote]);
  list.come([200, page]);
});
