// Sound and system notifications of other events than emergencies: opt-in, each by itself, and
// without names.

import { alertsOf, newMessage, newRequest, record } from '../alert-recorder';
import {
  answered,
  createQuote,
  kim,
  openDesk,
  openDeskWithQuote,
  receiveAnswer,
  rowOf,
  uniqueLocation,
} from '../desk-helpers';
import { expect, test } from '../fixtures';

test('nothing sounds until it is switched on, each tone can be switched off, and nobody is named', async ({
  page,
  request,
}) => {
  await record(page, 'granted');
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  await createQuote(request, place);
  await openDesk(page, place);
  await page.getByText('Alerts', { exact: true }).click();
  await expect(page.getByText('Live: changes appear at once.')).toBeVisible();
  await createQuote(request, `${word}, LA`);
  await expect(page.getByRole('button', { name: '1 new request' })).toBeVisible();
  expect(await alertsOf(page)).toEqual({ tones: [], notifications: [] });
  await page.getByLabel('Sound', { exact: true }).check();
  expect((await alertsOf(page)).tones).toEqual(newRequest);
  await page.getByLabel('System notification').check();
  await expect(page.getByLabel('System notification')).toBeChecked();
  await createQuote(request, `${word}, OK`);
  const first = 'New request: A new request has arrived.';
  await expect.poll(async () => (await alertsOf(page)).notifications).toEqual([first]);
  expect((await alertsOf(page)).tones).toEqual([...newRequest, ...newRequest]);
  await page.getByLabel('New request').uncheck();
  await createQuote(request, `${word}, NM`);
  await expect.poll(async () => (await alertsOf(page)).notifications).toEqual([first, first]);
  expect((await alertsOf(page)).tones).toEqual([...newRequest, ...newRequest]);
  await page.reload();
  await page.getByText('Alerts', { exact: true }).click();
  await expect(page.getByLabel('Sound', { exact: true })).toBeChecked();
  await expect(page.getByLabel('New request')).not.toBeChecked();
});

test('where the browser refuses notifications, the switch stays off', async ({ page, request }) => {
  await record(page, 'denied');
  await openDeskWithQuote(page, request);
  await page.getByText('Alerts', { exact: true }).click();
  await page.getByLabel('System notification').click();
  await expect(page.getByText('This browser shows no notifications of this site.')).toBeVisible();
});

test('a customer’s email by the pipe sounds once, is counted in the title, and marks its row', async ({
  page,
  request,
  server,
}) => {
  await record(page, 'granted');
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  const messageId = await answered(server, request, { id, subject: `Guards for ${place}` });
  await openDesk(page, place);
  await page.getByText('Alerts', { exact: true }).click();
  await page.getByLabel('Sound', { exact: true }).check();
  await page.getByLabel('System notification').check();
  await expect(page.getByText('Live: changes appear at once.')).toBeVisible();
  await expect(page).toHaveTitle(/^[^(]/);
  const alertsBefore = await alertsOf(page);
  receiveAnswer(server, messageId, 'Tuesday at six');
  await expect(rowOf(page, place)).toContainText('Message waits');
  await expect(page).toHaveTitle(/^\(1\) /);
  const said = 'New message: A customer has written.';
  await expect.poll(async () => (await alertsOf(page)).notifications).toContain(said);
  // Equal emails are one message: no second sound.
  receiveAnswer(server, messageId, 'Tuesday at six');
  receiveAnswer(server, messageId, 'Or Wednesday');
  await expect.poll(async () => (await alertsOf(page)).notifications.length).toBeGreaterThan(1);
  const { tones, notifications } = await alertsOf(page);
  expect(tones.slice(alertsBefore.tones.length)).toEqual([...newMessage, ...newMessage]);
  expect(notifications).toEqual([said, said]);
  await rowOf(page, place).locator('.row-link').click();
  await page.getByRole('button', { name: 'No answer needed' }).click();
  await expect(rowOf(page, place)).not.toContainText('Message waits');
  await expect(page).toHaveTitle(/^[^(]/);
});

test('a due reminder is told to whose it is, with its tone, on any page; to others it is a reminder in the list', async ({
  page,
  request,
  server,
}) => {
  await record(page, 'granted');
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  const others = await createQuote(request, place);
  await openDesk(page, place);
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await page.evaluate(async (path) => {
    const { access_token } = JSON.parse(localStorage['guardpost.session']);
    await fetch(path, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ at: new Date(Date.now() + 2500).toISOString() }),
    });
  }, `/api/admin/inbox/${id}/follow-up`);
  const { call } = await kim(server, request);
  await call('PUT', `inbox/${others}/follow-up`, { at: new Date(Date.now() + 2500).toISOString() });
  await page.getByRole('link', { name: 'On call' }).click();
  await expect(page.getByRole('heading', { name: 'On call', exact: true })).toBeVisible();
  // The server marks it within five seconds.
  await expect(page.locator('.toast')).toContainText('Your reminder is due');
  expect((await alertsOf(page)).tones).toEqual([587, 587]);
  await page.getByRole('link', { name: 'Open it' }).click();
  await expect(page.getByRole('complementary')).toContainText('Follow up now. You asked to be reminded');
});
