import { expect, it } from 'vitest';
import { keyBytes } from '../account/push';
import { companyTime, nameOf } from './people';

it('shows times on the clock of the company, also where the clocks change', () => {
  expect(companyTime('2026-11-01T06:30:00Z', 'America/Chicago')).toBe('Nov 1, 1:30 AM');
  expect(companyTime('2026-11-01T07:30:00Z', 'America/Chicago')).toBe('Nov 1, 1:30 AM');
  expect(companyTime('2026-11-23T06:00:00Z', 'America/Chicago')).toBe('Nov 23, 12:00 AM');
});

it('names people who left', () => {
  const ada = { id: '1', email: 'ada@guard.example', phone: null, devices: 0 };
  expect(nameOf([ada], '1')).toBe('ada@guard.example');
  expect(nameOf([ada], '2')).toBe('a former colleague');
});

it('reads the key with which a browser subscribes', () => {
  expect([...keyBytes('_-8A')]).toEqual([255, 239, 0]);
});
