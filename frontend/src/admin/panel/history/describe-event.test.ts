// The sentences of the history.
import { expect, it } from 'vitest';
import type { HistoryEvent } from '../../../api/inbox';
import { unbroken } from '../../requests/format';
import { describeEvent } from './describe-event';

const kim = { id: '1', email: 'kim@guardpost.example' };
const ana = { id: '2', email: 'ana@guardpost.example' };
const now = Date.parse('2026-11-21T12:00:00.000Z');

function describe(verb: string, detail: Record<string, unknown> = {}) {
  const event = { id: 7, at: '2026-11-21T11:00:00.000Z', actor: kim, verb, detail };
  return describeEvent(event as unknown as HistoryEvent, now);
}

it.each([
  ['received', {}, 'Received'],
  ['moved', { from: 'pending', to: 'in_progress' }, 'Moved from pending to in progress'],
  ['assigned', { from: null, to: kim }, 'Took the request'],
  ['assigned', { from: kim, to: ana }, 'Assigned it to ana'],
  ['assigned', { from: kim, to: null }, 'Gave the request back'],
  ['assigned', { from: ana, to: null }, 'Assigned it to nobody'],
  ['called', { outcome: 'reached' }, 'Called and reached the customer'],
  ['called', { outcome: 'no_answer' }, 'Called, no answer'],
  ['undone', { verb: 'moved' }, 'Undid: the move'],
  [
    'moved',
    { from: 'cancelled', to: 'pending', correction: 'reopen', reason: 'Called again' },
    'Reopened it, from cancelled to pending',
  ],
  ['note_deleted', { note: 7 }, 'Deleted a note'],
  ['noted', { deleted: true }, 'Wrote a note, which is deleted'],
  ['file_added', { name: 'plan.pdf' }, 'Added the file plan.pdf'],
  ['file_replaced', { name: 'plan.pdf' }, 'Replaced the file plan.pdf'],
  ['file_deleted', { name: 'plan.pdf' }, 'Deleted the file plan.pdf for good'],
  ['file_removed', { name: 'plan.pdf' }, 'Removed the file plan.pdf'],
  ['auto_replied', { subject: 'Away' }, 'Automatic reply: Away'],
  ['auto_replied', { ours: true, subject: 'Gate' }, 'An email of ours came back: Gate'],
  ['wrote', { via: 'page' }, 'The customer wrote on the status page'],
  [
    'wrote',
    { via: 'offer', number: 'GP-2K7Q-1', version: 2 },
    'The customer asked about offer GP-2K7Q-1, version 2',
  ],
  ['wrote', { via: 'email', name: 'Maria', subject: 'Re: Gate' }, 'Maria wrote: Re: Gate'],
  ['escalated', { step: 1 }, 'The office was reminded: this is overdue'],
  ['merged_by_hand', {}, 'merged by hand'],
])('describes %s %j as %s', (verb, detail, text) => {
  expect(describe(verb, detail).text).toBe(text);
});

const of = { number: 'GP-2K7Q-1', version: 2 };
const value = { total_cents: 123_450, is_weekly: true };

it.each([
  [
    'offer_sent',
    { ...of, ...value, valid_until: '2026-12-09' },
    `Sent offer GP-2K7Q-1, version 2: ${unbroken('$1,234.50 a week')}, valid until ${unbroken('Dec 9, 2026')}`,
  ],
  [
    'offer_accepted',
    { ...of, ...value, name: 'Marta Núñez' },
    `Accepted offer GP-2K7Q-1, version 2: ${unbroken('$1,234.50 a week')}, by Marta Núñez`,
  ],
  ['offer_declined', of, 'Declined offer GP-2K7Q-1, version 2'],
  ['offer_expired', of, 'No answer in time: offer GP-2K7Q-1, version 2'],
  ['offer_confirmed', of, 'Confirmed offer GP-2K7Q-1, version 2: staffed'],
  ['offer_opened', of, 'The customer reads offer GP-2K7Q-1, version 2'],
])('describes %s of an offer', (verb, detail, text) => {
  expect(describe(verb, detail).text).toBe(text);
});

it('names what was edited, with both values', () => {
  const detail = {
    from: { email: '', service: 'fire-watch', duration: '1-week' },
    to: { email: 'ana@site.example', service: 'concierge', duration: 'ongoing' },
  };
  expect(describe('edited', detail)).toEqual({
    text: 'Changed the email address, service, and duration',
    body: 'Email address: nothing → ana@site.example\nService: Fire Watch → Concierge\nDuration: 1 week → Ongoing',
  });
});

it('has the words of a note', () => {
  expect(describe('noted', { text: 'Gate code 7' })).toEqual({ text: 'Note', body: 'Gate code 7' });
});

it('says how a reply fares, and offers to send a failed one again', () => {
  const reply = { subject: 'Your request', text: 'Hello' };
  expect(describe('replied', { ...reply, state: 'queued' }).delivery).toBe('Waiting to be sent');
  expect(
    describe('replied', { ...reply, state: 'delivered', at: '2026-11-21T11:00:00.000Z' }).delivery,
  ).toMatch(/^Delivered .*1\u{a0}h\u{a0}ago/u);
  expect(
    describe('emailed', { to: 'a@b.example', state: 'failed', error: 'no such mailbox', email_id: 7 }),
  ).toEqual({
    text: 'Email to a@b.example',
    delivery: 'Failed: no such mailbox',
    failed: true,
    emailId: '7',
  });
});
