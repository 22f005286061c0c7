// A conversation of thirty messages: the newest is in sight when its request is opened, and so are
// the reply's text and its button while it is written.
import type { Locator, Page } from '@playwright/test';
import { answered, createQuote, kim, openDesk, receiveAnswer, uniqueLocation } from '../desk-helpers';
import { expect, type TestServer, test } from '../fixtures';

const pairs = 15;
const newest = `Message ${pairs} of the customer`;

/** A request with fifteen messages of the customer and as many of ours; returns its id. */
async function createThread(server: TestServer, page: Page, place: string) {
  const { request } = page;
  const id = await createQuote(request, place, { emergency_contact: false });
  const messageId = await answered(server, request, { id, subject: `Guards for ${place}` });
  const { call } = await kim(server, request);
  for (let at = 1; at <= pairs; at += 1) {
    if (at > 1)
      await call('POST', `inbox/${id}/replies`, { subject: 'Guards', text: `Two guards from ${at} PM.` });
    receiveAnswer(
      server,
      messageId,
      `Message ${at} of the customer. ${'The panel is still down. '.repeat(6)}`,
    );
  }
  return id;
}

const bottomOf = async (of: Locator) => {
  const { y, height } = (await of.boundingBox()) ?? { y: 0, height: 0 };
  return y + height;
};

test('with thirty messages the newest, the text of a reply and its button are in sight', async ({
  page,
  server,
}) => {
  test.slow();
  const place = uniqueLocation();
  const id = await createThread(server, page, place);
  await openDesk(page, place);
  const panel = page.getByRole('complementary');
  const messages = panel.locator('.timeline :is(.from-customer, .from-us)');
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`/admin?request=${id}`);
    await expect(messages).toHaveCount(2 * pairs);
    const foot = panel.locator('.panel-foot');
    const shown = panel.getByText(newest).first();
    const footTop = () => foot.evaluate((of) => of.getBoundingClientRect().top);
    expect.soft(await bottomOf(shown), `newest message at ${width}`).toBeLessThanOrEqual(await footTop());

    await page.keyboard.press('e');
    const text = panel.getByLabel('Text', { exact: true });
    await expect(text).toBeFocused();
    const send = panel.getByRole('button', { name: 'Send reply' });
    const isBefore = async () => (await bottomOf(text)) <= ((await send.boundingBox())?.y ?? 0);
    await expect.soft(text, `text at ${width}`).toBeInViewport({ ratio: 1 });
    await expect.soft(send, `button at ${width}`).toBeInViewport({ ratio: 1 });
    await expect.poll(isBefore, `the button covers nothing of the text at ${width}`).toBe(true);
    if (width === 1440) expect.soft(await page.evaluate(() => scrollY), 'the page stays').toBe(0);
    // On a phone the screen is for the text.
    if (width > 390) {
      const top = await footTop();
      const words = messages.first().getByText(newest);
      await expect.soft(words, `what is answered at ${width}`).toBeInViewport();
      expect.soft((await words.boundingBox())?.y, `above the form at ${width}`).toBeLessThan(top - 24);
    }
    await page.keyboard.press('Escape');
    await expect(send).toHaveCount(0);
  }
});
