// A key that can do nothing says why.
import { expect, it } from 'vitest';
import type { RequestItem } from '../../api/inbox';
import type { Command } from './desk-commands';
import { deadKeyText } from './desk-commands';

const quote = { reference: 'GP-2K7Q', kind: 'quote', status: 'pending', held: false, email: 'a@b.example' };

it.each<[Command, object, string]>([
  ['complete', {}, 'GP-2K7Q is pending: it cannot be completed.'],
  ['accept', { status: 'in_progress' }, 'GP-2K7Q is in progress: it cannot be accepted.'],
  [
    'complete',
    { status: 'in_progress', offer: { is_unconfirmed: true } },
    'GP-2K7Q waits for “Confirm staffing”: press a.',
  ],
  ['accept', { held: true }, 'GP-2K7Q is held. Press y to release it, or d to discard it.'],
  ['reply', { email: '' }, 'GP-2K7Q has no email address. Press f to add one.'],
  ['remind', { status: 'completed' }, 'GP-2K7Q is completed: only an open request has a reminder.'],
  ['release', {}, 'GP-2K7Q is not held.'],
  ['makeQuote', {}, 'GP-2K7Q is a quote request already.'],
  ['offer', {}, 'Open GP-2K7Q first: press Enter on it.'],
  [
    'offer',
    { kind: 'message' },
    'GP-2K7Q is a contact message. Press q to make it a quote request, which can have offers.',
  ],
  ['next', {}, ''],
])('%s with %j: %s', (command, changes, text) => {
  expect(deadKeyText(command, { ...quote, ...changes } as RequestItem, false)).toBe(text);
});

it('asks for a request where none is chosen', () => {
  expect(deadKeyText('accept', undefined, false)).toBe('Choose a request first: j is the next one.');
});
