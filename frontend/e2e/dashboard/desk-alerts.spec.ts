// Sound and system notifications of new requests and messages: opt-in, and without names.
import type { Page } from '@playwright/test';
import {
  answered,
  createQuote,
  openDesk,
  openDeskWithQuote,
  receiveAnswer,
  rowOf,
  uniqueLocation,
} from '../desk-helpers';
import { expect, test } from '../fixtures';

type Alerts = { tones: number[]; notifications: string[] };

/**
 * Records the tones and notifications of a page, and the user's answer to the permission prompt.
 */
async function record(page: Page, answer: 'granted' | 'denied') {
  await page.addInitScript((answer) => {
    const alerts: Alerts = { tones: [], notifications: [] };
    Object.assign(window, { alerts });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (at) {
      alerts.tones.push(this.frequency.value);
      start.call(this, at);
    };
    class Recorded {
      static permission = 'default';
      static async requestPermission() {
        Recorded.permission = answer;
        return answer;
      }
      constructor(title: string, { body }: NotificationOptions) {
        alerts.notifications.push(`${title}: ${body}`);
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorded });
  }, answer);
}

const alertsOf = (page: Page) => page.evaluate(() => (window as unknown as { alerts: Alerts }).alerts);

/** The two tones of a request, and the six of an emergency. */
const normal = [660, 880];
const emergency = [988, 740, 988, 740, 988, 740];

test('nothing sounds until it is switched on; an emergency sounds different, and nobody is named', async ({
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
  await page.getByLabel('Sound for new requests, messages and assignments').check();
  expect((await alertsOf(page)).tones).toEqual(normal);
  await page.getByLabel('System notification').check();
  await expect(page.getByLabel('System notification')).toBeChecked();
  await createQuote(request, `${word}, OK`, { emergency_contact: false });
  const first = 'New request: A new request has arrived.';
  await expect.poll(async () => (await alertsOf(page)).notifications).toContain(first);
  await createQuote(request, `${word}, NM`);
  const second = 'Call right away: A visitor asks to be called right away.';
  await expect.poll(async () => (await alertsOf(page)).notifications).toContain(second);
  const { tones, notifications } = await alertsOf(page);
  expect(tones.join()).toContain(emergency.join());
  expect(notifications.join()).not.toMatch(/Marta|Núñez|Post/);
  await page.getByLabel('Sound for new requests, messages and assignments').uncheck();
  await page.reload();
  await page.getByText('Alerts', { exact: true }).click();
  await expect(page.getByLabel('Sound for new requests, messages and assignments')).not.toBeChecked();
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
  const id = await createQuote(request, place, { emergency_contact: false });
  const messageId = await answered(server, request, { id, subject: `Guards for ${place}` });
  await openDesk(page, place);
  await page.getByText('Alerts', { exact: true }).click();
  await page.getByLabel('Sound for new requests, messages and assignments').check();
  await page.getByLabel('System notification').check();
  await expect(page.getByText('Live: changes appear at once.')).toBeVisible();
  await expect(page).toHaveTitle(/^[^(]/);
  const alertsBefore = await alertsOf(page);
  receiveAnswer(server, messageId, 'Tuesday at six');
  await expect(rowOf(page, place)).toContainText('New message');
  await expect(page).toHaveTitle(/^\(1\) /);
  const said = 'New message: A customer has written.';
  await expect.poll(async () => (await alertsOf(page)).notifications).toContain(said);
  // Equal emails are one message: no second sound.
  receiveAnswer(server, messageId, 'Tuesday at six');
  receiveAnswer(server, messageId, 'Or Wednesday');
  await expect.poll(async () => (await alertsOf(page)).notifications.length).toBeGreaterThan(1);
  const { tones, notifications } = await alertsOf(page);
  expect(tones.slice(alertsBefore.tones.length)).toEqual([...normal, ...normal]);
  expect(notifications).toEqual([said, said]);
  await rowOf(page, place).locator('.row-link').click();
  await expect(rowOf(page, place)).not.toContainText('New message');
  await expect(page).toHaveTitle(/^[^(]/);
});
