// The source of a visit: recorded with its first page and sent with a form, unless the visitor
// objects.
import { expect, fillQuote, send, test } from '../fixtures';

test('the attribution is sent with the quote', async ({ page, server }) => {
  const location = `Tyler ${Date.now()}`;
  await page.goto('/fire-watch?utm_source=ads&gclid=g123');
  await page.goto('/quote');
  await fillQuote(page, { location });
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  const line =
    server
      .command(['export-quotes', '--format', 'jsonl'])
      .split('\n')
      .find((row) => row.includes(location)) ?? '';
  expect(line).toContain('ads');
  expect(line).toContain('/fire-watch');
});

test('the first page of a visit is recorded even if the visitor leaves it before the script runs', async ({
  page,
  server,
}) => {
  await page.goto('/quote', { referer: `${server.url}/fire-watch?utm_source=ads` });
  await fillQuote(page);
  const post = page.waitForRequest('**/api/quotes');
  await send(page);
  const { attribution } = (await post).postDataJSON();
  expect(attribution).toEqual({ landing: '/fire-watch', utm_source: 'ads' });
});

for (const signal of ['doNotTrack', 'globalPrivacyControl', ''] as const) {
  test(`where a visit came from ${signal ? `is not sent against ${signal}` : 'is sent with the form'}`, async ({
    page,
  }) => {
    await page.addInitScript((name) => {
      if (name) Object.defineProperty(navigator, name, { value: name === 'doNotTrack' ? '1' : true });
    }, signal);
    const beacons: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/taps')) beacons.push(request.url());
    });
    await page.goto('/fire-watch?utm_source=letter');
    // Phone links lead nowhere here: the click is seen, the call is not made.
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), { once: true }));
    await page.locator('main a[href^="tel:"]').first().click();
    await page.locator('main a[href^="/quote"]').first().click();
    await fillQuote(page);
    const post = page.waitForRequest('**/api/quotes');
    await send(page);
    const { attribution } = (await post).postDataJSON();
    expect(attribution?.utm_source).toBe(signal ? undefined : 'letter');
    expect(beacons.length).toBe(signal ? 0 : 1);
  });
}
