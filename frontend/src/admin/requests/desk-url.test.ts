// A filter is an address: parsing and formatting are each other's inverse, and the API gets the
// same filters.
import { expect, it } from 'vitest';
import { filterQuery, formatDeskUrl, parseDeskUrl, withFilters } from './desk-url';

it.each([
  '/admin',
  '/admin?view=attention',
  '/admin?status=pending&q=katy',
  '/admin?view=everything&service=fire-watch&state=TX&assignee=me&from=2026-11-01&to=2026-11-22',
  '/admin?view=attention&state=TX&sort=-value',
  '/admin?view=attention&overdue=false&emergency=false',
  '/admin?view=everything&from=2026-11-01&answered_by=me&reason=price&duplicate=true',
  '/admin?sort=start&request=GP-2K7Q',
  '/admin?view=held&overdue=true&emergency=true&unread=true&request=GP-2K7Q',
])('keeps %s', (address) => {
  expect(formatDeskUrl(parseDeskUrl(address.slice('/admin'.length)))).toBe(address);
});

it('opens the quote that an email links to', () => {
  expect(parseDeskUrl('?quote=0192f0c1').request).toBe('0192f0c1');
});

it.each([
  '?view=users',
  '?status=lost',
  '?from=yesterday',
  '?overdue=maybe',
  '?unread=1',
  '?q=',
  '?sort=name',
  '?sort=-received',
])('ignores %s', (search) => {
  expect(formatDeskUrl(parseDeskUrl(search))).toBe('/admin');
});

it.each([
  ['', { kind: 'quote' }],
  ['?view=messages&q=gate', { kind: 'message', q: 'gate' }],
  ['?view=everything&state=TX', { state: 'TX' }],
  ['?view=attention&assignee=nobody', { attention: 'true', assignee: 'nobody' }],
  ['?view=held', { held: 'true' }],
  ['?sort=-due', { kind: 'quote', sort: '-due' }],
] as [string, object][])('asks the API at %j for %j', (search, query) => {
  expect(filterQuery(parseDeskUrl(search))).toEqual(query);
});

it('removes a filter, and closes the open request with any change', () => {
  const url = parseDeskUrl('?view=messages&state=TX&assignee=me&request=GP-2K7Q');
  expect(formatDeskUrl(withFilters(url, { state: '', q: 'gate' }))).toBe(
    '/admin?view=messages&q=gate&assignee=me',
  );
});
