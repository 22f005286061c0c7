// @vitest-environment happy-dom
// The operator's warnings: one line that opens, put away for a week; what reaches no one stays.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  answers,
  button,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
} from '../testing/admin-page-fixture';

const warnings = () => document.querySelector<HTMLDetailsElement>('.desk-warnings');
let problems: string[];

beforeEach(() => {
  startServer();
  problems = ['Nobody is on call tonight.', 'The disk is almost full.', '3 emails could not be delivered.'];
  answers['GET /api/admin/system'] = () => [200, { problems, backups_missing: false }];
});
afterEach(() => {
  vi.useRealTimers();
  stopServer();
});

async function openDesk() {
  signedIn();
  await open();
  await says('Nobody is on call tonight.');
}

it('has one closed line for warnings, which stays away for a week unless there is a new one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T12:00:00Z') });
  await openDesk();
  expect(warnings()?.open).toBe(false);
  expect(warnings()?.querySelector('summary')?.textContent).toBe('2 warnings about this installation');
  button('Put away for a week').click();
  await vi.waitFor(() => expect(warnings()).toBeNull());

  problems[2] = '4 emails could not be delivered.';
  await openDesk();
  expect(warnings()).toBeNull();

  problems.push('The replication of the database has stopped.');
  await openDesk();
  await says('1 warning about this installation');

  vi.setSystemTime(new Date('2026-12-04T12:00:00Z'));
  await openDesk();
  await says('3 warnings about this installation');
});
