// Who has sent a file, and the line of the folded list.
import { expect, test } from 'vitest';
import type { HistoryEvent, RequestFile } from '../../../api/inbox';
import { filesTitle, sentBy } from './files';

const file = (changes: Partial<RequestFile>): RequestFile => ({
  bucket: 'quotes',
  key: 'q/plan.pdf',
  name: 'plan.pdf',
  size: 12,
  media_type: 'application/pdf',
  scan: 'clean',
  by_visitor: true,
  created_at: '2026-11-26T09:47:00Z',
  ...changes,
});

const event = (verb: string, detail: object, name?: string) =>
  ({
    id: 1,
    at: '2026-11-26T09:47:00Z',
    actor: name ? { id: 'k', name, email: null } : null,
    verb,
    detail,
  }) as HistoryEvent;

const history = [
  event('wrote', { email: 'e1', name: 'Marta Núñez', from: 'marta@property.example' }),
  event('wrote', { email: 'e2', name: null, from: 'boss@property.example' }),
  event('file_added', { key: 'q/ours.pdf' }, 'Kim'),
];

test.each([
  ['of the form', file({}), 'the customer'],
  ['of an email', file({ bucket: 'mail', key: 'e1/a.pdf' }), 'Marta Núñez by email'],
  ['of an email without a name', file({ bucket: 'mail', key: 'e2/a.pdf' }), 'boss@property.example by email'],
  ['of an email that made the request', file({ bucket: 'mail', key: 'e3/a.pdf' }), 'the customer by email'],
  ['of a colleague', file({ key: 'q/ours.pdf', by_visitor: false }), 'Kim'],
  ['of a reply', file({ bucket: 'mail', key: 'q/r.pdf', by_visitor: false }), 'us'],
])('a file %s names its sender', (_, given, by) => {
  expect(sentBy(given, history)).toBe(by);
});

test('the folded line counts files and does not hide an infected one', () => {
  expect(filesTitle([])).toBe('Files (0)');
  expect(filesTitle([file({}), file({ scan: 'infected' })])).toBe('Files (2), 1 infected');
});
