import { afterEach, expect, it, vi } from 'vitest';
import { keyBytes } from '../account/push-devices';
import { unbroken } from '../requests/format';
import { companyTime, nameOf } from './people';

afterEach(() => void vi.useRealTimers());

it('shows times on the clock of the company, also where the clocks change', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23') });
  expect(companyTime('2026-11-01T06:30:00Z', 'America/Chicago')).toBe(unbroken('Nov 1, 1:30 AM'));
  expect(companyTime('2026-11-01T07:30:00Z', 'America/Chicago')).toBe(unbroken('Nov 1, 1:30 AM'));
  expect(companyTime('2026-11-23T06:00:00Z', 'America/Chicago')).toBe(unbroken('Nov 23, 12:00 AM'));
});

it('names people by their names, and says of one who left', () => {
  const ada = { id: '1', email: 'ada@guard.example', name: 'Ada Byron', phone: null, devices: 0 };
  expect(nameOf([ada], '1')).toBe('Ada Byron');
  expect(nameOf([{ ...ada, name: null }], '1')).toBe('ada');
  const other = { ...ada, id: '2', email: 'ada@other.example' };
  expect(nameOf([ada, other], '2')).toBe('Ada Byron (ada@other.example)');
  expect(nameOf([ada], '2')).toBe('a former colleague');
});

it('reads the key with which a browser subscribes', () => {
  expect([...keyBytes('_-8A')]).toEqual([255, 239, 0]);
});
