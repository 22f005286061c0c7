// @vitest-environment happy-dom
// What is typed is kept by user and form, and every form of the desk does so.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { forget, keep, keepFor, readKept } from './kept';

beforeEach(() => {
  localStorage.clear();
  keepFor('');
});

it('keeps what one user has typed from another, until it is stored', () => {
  keepFor('ana');
  keep('note', 'Gate 4');
  keepFor('kim');
  expect(readKept('note')).toBeUndefined();
  keepFor('ana');
  expect(readKept('note')).toBe('Gate 4');
  forget('note');
  expect(readKept('note')).toBeUndefined();
});

it('forgets what was not opened again for two weeks', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-01') });
  keepFor('ana');
  keep('note', 'Gate 4');
  keep('rota', 'Kim');
  vi.setSystemTime(new Date('2026-11-14'));
  keep('rota', 'Ben');
  vi.setSystemTime(new Date('2026-11-16'));
  keepFor('');
  keepFor('ana');
  expect([readKept('note'), readKept('rota')]).toEqual([undefined, 'Ben']);
  vi.useRealTimers();
});

/** Forms without a text of their own: passwords, codes, confirmations, and what the address has. */
const others = [
  'account/enroll-factor.tsx',
  'account/password-change.tsx',
  'figures/period-choice.tsx',
  'inbox/shortcuts-help.tsx',
  'panel/person-data.tsx',
];

it('keeps what is typed into every form', () => {
  const folder = resolve(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx$/.test(name) && !/^(sign-in|ui|testing)\//.test(name) && !others.includes(name))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
    .filter(([, text]) => /<form|<SubmitForm|<PanelForm/.test(text));
  expect(files.length).toBeGreaterThan(15);
  const keeps = /\bkeep(:|,|=)|useKept\b|useOfferDraft|usePhoneForm|<PanelForm|keepDraft|store\.change/;
  expect(files.filter(([, text]) => !keeps.test(text)).map(([name]) => name)).toEqual([]);
});
