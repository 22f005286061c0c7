import { expect, it } from 'vitest';
import { withTemplate } from './reply-draft';

const template = { subject: 'Your request', text: 'Hello.' };

it.each([
  [{ subject: '', text: '' }, 0, { subject: 'Your request', text: 'Hello.' }],
  [{ subject: 'Mine', text: 'Typed.' }, 6, { subject: 'Mine', text: 'Typed.\n\nHello.' }],
  [{ subject: ' ', text: 'One. Two.' }, 5, { subject: 'Your request', text: 'One.\n\nHello.\n\nTwo.' }],
  [{ subject: '', text: 'Typed.' }, 0, { subject: 'Your request', text: 'Hello.\n\nTyped.' }],
])('inserts a template into what was typed: %j at %d', (typed, cursor, expected) => {
  expect(withTemplate(typed, template, cursor)).toEqual(expected);
});

it('replaces a subject that was only proposed', () => {
  const typed = { subject: 'Your request GP-2K7Q', text: '' };
  expect(withTemplate(typed, template, 0, typed.subject).subject).toBe('Your request');
});
