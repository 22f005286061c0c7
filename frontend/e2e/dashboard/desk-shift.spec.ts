// A shift of two people: what each of them hears and sees while both work on the same requests.
import type { Page } from '@playwright/test';
import { alertsOf, newMessage, newRequest, timesRung } from '../alert-recorder';
import { createQuote, kim, receiveAnswer, rowOf, uniqueLocation, urgent } from '../desk-helpers';
import { expect } from '../fixtures';
import { openWithSound, test } from '../own-server';

/** The tone of an assignment by a colleague. */
const assigned = [660, 660, 880];

/** The tones that were asked of the speaker, but for those of emergencies. */
async function tonesOf(page: Page): Promise<number[]> {
  const { tones } = await alertsOf(page);
  return tones.filter((tone) => tone !== 988 && tone !== 740);
}

test('two people hear the same news once, see who has what, and hand a customer over', async ({
  page,
  browser,
  own,
  request,
}) => {
  const { account } = await kim(own, request);
  const other = await browser.newPage({ baseURL: own.url });
  const both = [page, other];
  await openWithSound(page);
  await openWithSound(other, account);

  // Both hear the new request; the first takes it, and the second sees it.
  const place = uniqueLocation();
  await createQuote(request, place);
  for (const desk of both) {
    await desk.getByRole('button', { name: '1 new request' }).click();
    await expect.poll(() => tonesOf(desk)).toEqual(newRequest);
  }
  await rowOf(page, place).locator('.row-link').focus();
  await page.keyboard.press('m');
  await expect(rowOf(other, place).locator('.row-assignee')).toContainText('dispatch');

  // The second is on another page when an emergency comes, and takes it for both.
  await other.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'On call' }).click();
  const emergencyPlace = uniqueLocation();
  await createQuote(request, emergencyPlace, urgent);
  for (const desk of both) {
    await expect(desk.locator('.alarm-bar')).toContainText(emergencyPlace);
    await expect.poll(() => timesRung(desk)).toBeGreaterThan(0);
  }
  await other
    .locator('.alarm-bar')
    .getByRole('button', { name: /^Take it/ })
    .click();
  for (const desk of both) await expect(desk.locator('.alarm-bar')).toHaveCount(0);

  // The first answers the customer, who writes back: both hear it, and it is in the conversation.
  await rowOf(page, place).locator('.row-link').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('e');
  const panel = page.getByRole('complementary');
  await panel.getByLabel('Subject').fill(`Guards for ${place}`);
  await panel.getByLabel('Text').fill('When shall we start?');
  await panel.getByRole('button', { name: 'Send reply' }).click();
  const sent = await own.waitForEmail(`Subject: Guards for ${place}`);
  receiveAnswer(own, /^Message-ID: (<.*>)/im.exec(sent)?.[1] ?? '', 'Tuesday at six');
  await expect(panel.locator('.from-customer')).toContainText('Tuesday at six');
  for (const desk of both) await expect.poll(() => tonesOf(desk)).toEqual([...newRequest, ...newMessage]);

  // The customer is handed over: only the second hears that, and both see who has it open.
  await panel.getByLabel('Hand over').selectOption({ label: account.email });
  await panel.getByLabel('Hand over').press('Enter');
  const told = other.locator('.toast').filter({ hasText: 'dispatch has assigned to you' });
  await told.getByRole('link', { name: 'Open it' }).click();
  await expect(other.getByRole('complementary')).toContainText('Tuesday at six');
  await expect(other.getByRole('complementary').locator('.presence')).toHaveText('dispatch has this open');
  await expect(panel.locator('.presence')).toHaveText('kim has this open');
  expect(await tonesOf(other)).toEqual([...newRequest, ...newMessage, ...assigned]);
  expect(await tonesOf(page)).toEqual([...newRequest, ...newMessage]);
  await other.close();
});
