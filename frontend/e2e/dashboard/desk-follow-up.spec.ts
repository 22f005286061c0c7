// Reminders, and how requests have ended: by pointer and by key.
import {
  createQuote,
  kim,
  openDesk,
  openDeskWithQuote,
  rowOf,
  uniqueLocation,
  urgent,
} from '../desk-helpers';
import { expect, test } from '../fixtures';

test('a request that is put off leaves Needs attention, and z brings it back', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request, { emergency_contact: false });
  const attention = `/admin?view=attention&q=${place.split(',')[0]}`;
  await page.goto(attention);
  const row = rowOf(page, place);
  await row.locator('.row-link').focus();
  await page.keyboard.press('s');
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('button', { name: 'In 5 minutes' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.locator('.toast')).toContainText('Reminder set');
  await expect(panel.locator('.follow-up-notice')).toContainText('You asked to be reminded');
  await expect(row).toContainText('Until');
  await page.goto(attention);
  await expect(page.getByText('Nothing needs attention.')).toBeVisible();

  await page.goto(`/admin?follow_up=waiting&q=${place.split(',')[0]}`);
  await row.locator('.row-link').click();
  await panel.getByRole('button', { name: 'End the reminder' }).click();
  await expect(panel.locator('.follow-up-notice')).toHaveCount(0);
  await expect(panel.locator('.timeline')).toContainText('Ended the reminder');
  await page.locator('h2#panel-title').click();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('is what it was before');
  await expect(panel.locator('.follow-up-notice')).toContainText('You asked to be reminded');
});

test('at its time a request is back in Needs attention with a mark, and one press ends the reminder', async ({
  page,
  request,
  server,
}) => {
  const [place, other] = [uniqueLocation(), uniqueLocation()];
  const id = await createQuote(request, place, { emergency_contact: false });
  const { call } = await kim(server, request);
  await call('PUT', `inbox/${id}/follow-up`, { at: new Date(Date.now() + 8000).toISOString() });
  await openDesk(page, place);
  const row = rowOf(page, place);
  await expect(row).toContainText('Until');
  // Without a reload: the server marks it within five seconds.
  await expect(row).toContainText('Follow up');
  await createQuote(request, other, { emergency_contact: false });
  await page.goto('/admin?view=attention');
  await expect(rowOf(page, other)).toBeVisible();
  const order = await page.locator('.row').allInnerTexts();
  const at = (word: string) => order.findIndex((text) => text.includes(word));
  expect(at(place)).toBeLessThan(at(other));
  await row.locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await expect(panel.locator('.follow-up-notice')).toContainText('Follow up now. kim asked to be reminded');
  await panel.getByRole('button', { name: 'Done' }).click();
  await expect(row).not.toContainText('Follow up');
});

test('a call without an answer asks when to call again', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request, urgent);
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await page.keyboard.press('l');
  await panel.getByLabel('No answer').check();
  const remind = panel.getByLabel('Remind me');
  await expect(remind.locator('option')).toHaveText([
    'No reminder',
    'In 5 minutes',
    'In 30 minutes',
    'In 1 hour',
  ]);
  await remind.selectOption('In 5 minutes');
  await panel.getByRole('button', { name: 'Save call' }).click();
  await expect(panel.locator('.follow-up-notice')).toContainText('You asked to be reminded');
  await expect(panel.locator('.timeline')).toContainText('Called, no answer, wants to be reminded on');
});

test('a completed request asks for its outcome once, and one key skips it', async ({ page, request }) => {
  const place = await openDeskWithQuote(page, request);
  const row = rowOf(page, place);
  const prompt = page.getByRole('region', { name: /How did GP-.* end/ });
  await row.getByRole('button', { name: 'Accept' }).click();
  await row.getByRole('button', { name: 'Complete' }).click();
  await expect(prompt).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(prompt).toHaveCount(0);
  await row.locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('button', { name: 'Record it' }).click();
  await page.keyboard.press('1');
  await expect(prompt.getByLabel('Value in dollars (optional)')).toBeFocused();
  await page.keyboard.type('a lot');
  await page.keyboard.press('Enter');
  await expect(prompt).toContainText('Write the value in dollars');
  await prompt.getByLabel('Value in dollars (optional)').fill('1,250.50');
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('Outcome: Won, $1,250.50 a month');
  await expect(panel.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(panel.locator('.timeline')).toContainText('Outcome: Won, $1,250.50 a month');
  await expect(prompt).toHaveCount(0);
  await page.goto(`/admin?outcome=won&q=${place.split(',')[0]}`);
  await expect(row).toBeVisible();
});

test('a lost request needs a reason, and z takes the outcome back and then the reject', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  const row = rowOf(page, place);
  const prompt = page.getByRole('region', { name: /How did GP-.* end/ });
  await row.getByRole('button', { name: 'Reject' }).click();
  await prompt.getByRole('button', { name: 'Lost' }).click();
  await prompt.getByRole('button', { name: 'Save' }).click();
  await expect(prompt).toContainText('Choose why it was lost.');
  await prompt.getByLabel('Why?').selectOption('Price');
  await prompt.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast')).toContainText('Lost: price');
  await expect(row.locator('.row-link')).toBeFocused();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('The outcome of');
  await page.keyboard.press('z');
  await expect(row).toContainText('pending');
  await expect(prompt).toHaveCount(0);
});

test('a list that was asked for before a move does not take it back, nor the question for its outcome', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  const row = rowOf(page, place);
  let arrive = () => {};
  const arrival = new Promise<void>((done) => {
    arrive = done;
  });
  const read = new Promise<void>((done) => {
    page.route(
      '**/api/admin/inbox?*limit=50',
      async (route) => {
        const response = await route.fetch();
        done();
        await arrival;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
  });
  await createQuote(request, `${place.split(',')[0]}, LA`, { emergency_contact: false });
  await read;
  await row.getByRole('button', { name: 'Reject' }).click();
  const prompt = page.getByRole('region', { name: /How did GP-.* end/ });
  await prompt.getByRole('button', { name: 'Lost' }).click();
  await prompt.getByRole('button', { name: 'Save' }).click();
  await page.evaluate(() => {
    const prompt = document.querySelector('.outcome-prompt');
    Object.assign(window, { kept: () => document.contains(prompt) });
  });
  arrive();
  await expect(page.getByRole('button', { name: '1 new request' })).toBeVisible();
  await expect(prompt).toContainText('Choose why it was lost.');
  expect(await page.evaluate(() => (window as unknown as { kept(): boolean }).kept())).toBe(true);
});
