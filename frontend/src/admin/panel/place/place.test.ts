// The map and the clock of a request's site.
import { expect, it } from 'vitest';
import { mapLink, timeThere } from '../facts';

it('tells the time of the site with its time zone', () => {
  const now = Date.parse('2026-11-24T22:05:00Z');
  expect(timeThere(now, 'America/Chicago')).toMatch(/^Tue,? 4:05\sPM CST$/u);
  expect(timeThere(now, 'Pacific/Honolulu')).toMatch(/^Tue,? 12:05\sPM HST$/u);
});

it('searches the map for the location as it was typed', () => {
  expect(mapLink('12 Main St #4, Katy & TX')).toBe(
    'https://www.google.com/maps/search/?api=1&query=12%20Main%20St%20%234%2C%20Katy%20%26%20TX',
  );
});
