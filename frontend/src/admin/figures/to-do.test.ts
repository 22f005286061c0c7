// @vitest-environment happy-dom
// The list of things to do on the page of figures, and whether the backup is fine.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unbroken } from '../requests/format';
import {
  answers,
  button,
  open,
  says,
  signedIn,
  startServer,
  stopServer,
} from '../testing/admin-page-fixture';

beforeEach(() => {
  startServer();
  answers['GET /api/admin/to-do'] = () => [
    200,
    {
      lines: [
        { text: '1 request is overdue', path: '/admin?view=attention&overdue=true', urgent: true },
        { text: 'The disk is almost full.', path: null, urgent: false },
      ],
    },
  ];
  signedIn();
});
afterEach(stopServer);

const system = (more: object) => () =>
  [200, { version: '', problems: [], backups_missing: false, emails: {}, ...more }] as [number, unknown];
const run = (ok: boolean, at: string) => ({ ok, ran_at: `2020-11-27T${at}:00.000Z`, detail: '', seconds: 1 });

it('leads to where each thing is done, and says when the last backup was made and checked', async () => {
  answers['GET /api/admin/system'] = system({ backup: run(true, '09:00'), backup_proof: run(true, '10:30') });
  await open('/admin/figures');
  await says('The disk is almost full.');
  expect(button('1 request is overdue').getAttribute('href')).toBe('/admin?view=attention&overdue=true');
  await says(`Last backup: ${unbroken('Nov 27, 2020')}`);
  await says(`last restored to check it: ${unbroken('Nov 27, 2020')}`);
});

it('calls no backup the last one that has failed', async () => {
  answers['GET /api/admin/system'] = system({ backup: run(false, '09:00') });
  await open('/admin/figures');
  await says('The disk is almost full.');
  expect(document.body.textContent).not.toContain('Last backup');
});

it('reads the list again where it could not be read', async () => {
  const fine = answers['GET /api/admin/to-do'] ?? (() => [200, {}]);
  answers['GET /api/admin/to-do'] = () => [500, {}];
  await open('/admin/figures');
  await says('Try again');
  answers['GET /api/admin/to-do'] = fine;
  await vi.waitFor(() => expect(document.querySelector('.to-do button')).not.toBeNull());
  document.querySelector<HTMLElement>('.to-do button')?.click();
  await says('The disk is almost full.');
});

it('says on a page that was read that the browser is offline, until it is online', async () => {
  await open('/admin/figures');
  await says('The disk is almost full.');
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  dispatchEvent(new Event('offline'));
  await says('You are offline. What you see may be out of date.');
  onLine.mockRestore();
  dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(document.body.textContent).not.toContain('You are offline.'));
});
