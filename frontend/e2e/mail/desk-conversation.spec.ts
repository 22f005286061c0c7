// A conversation with a customer: what a reply carries, an address that does not exist, and the
// status page of the request on a small phone without JavaScript.
import {
  answered,
  createQuote,
  openDesk,
  openDeskWithQuote,
  receiveAnswer,
  startReply,
  uniqueLocation,
} from '../desk-helpers';
import { expect, type TestServer, test } from '../fixtures';
import { violations } from '../violations';

/** The report of a mail server that `recipient` does not exist. */
function bounce(server: TestServer, messageId: string, recipient: string) {
  server.command(
    ['receive'],
    `Return-Path: <>\nFrom: MAILER-DAEMON@mx.guard.example\nTo: office@guardpost.example\nSubject: Undelivered mail\nMessage-ID: <report.${messageId.slice(1)}\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nIt could not be delivered.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.guard.example\n\nFinal-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${messageId}\nTo: ${recipient}\n--b--\n`,
  );
}

test('files of more than ten megabytes leave as links, and each link opens its file', async ({
  page,
  request,
  server,
}) => {
  const place = await openDeskWithQuote(page, request, { emergency_contact: false });
  const panel = await startReply(page);
  const subject = `Plans of ${place}`;
  await panel.getByLabel('Subject').fill(subject);
  await panel.getByLabel('Text').fill('See the plans.');
  await panel.getByLabel('Copies to (optional)').fill('boss@property.example, night@property.example');
  const file = (name: string) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.4 ${name}`.padEnd(6 * 1024 * 1024)),
  });
  await panel.getByLabel('Attach files').setInputFiles([file('north.pdf'), file('south.pdf')]);
  await expect(panel.getByRole('button', { name: 'Remove south.pdf' })).toBeVisible({ timeout: 20_000 });
  await panel.getByRole('button', { name: 'Send reply' }).click();
  const sent = await server.waitForEmail(`Subject: ${subject}`);
  expect(sent.length).toBeLessThan(100_000);
  expect(sent).toContain('Cc: boss@property.example, night@property.example');
  const text = sent.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
  for (const name of ['north.pdf', 'south.pdf']) {
    const link = new RegExp(`^${name}: \\S+(/storage/v1\\S+)`, 'm').exec(text)?.[1] ?? '';
    const opened = await request.get(link);
    expect(opened.status(), link).toBe(200);
    expect((await opened.body()).subarray(0, 18).toString()).toBe(`%PDF-1.4 ${name}`);
  }
});

test('a reply to an address that does not exist says so before it is sent', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const email = `gone${place.replace(/\W/g, '').toLowerCase()}@property.example`;
  const id = await createQuote(request, place, { email, emergency_contact: false });
  const messageId = await answered(server, request, { id, subject: `Guards for ${place}` });
  await openDesk(page, place);
  const panel = await startReply(page);
  const warning = panel.getByRole('alert').filter({ hasText: 'The last email to this address came back' });
  await expect(warning).toHaveCount(0);
  bounce(server, messageId, email);
  await expect(warning).toContainText('User unknown');
  await expect(warning).toContainText('Call the customer, or check the address.');
  await expect(
    panel.getByRole('listitem').filter({ hasText: `An email to ${email} came back` }),
  ).toBeVisible();
});

test.describe('on a small phone without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });

  test('a customer writes on the status page, sees the conversation, and says that it is settled', async ({
    page,
    request,
    server,
    browser,
    baseURL,
  }) => {
    const place = uniqueLocation();
    const id = await createQuote(request, place, { emergency_contact: false });
    const messageId = await answered(server, request, { id, subject: `Guards for ${place}` });
    // Nobody can verify its author, so the page does not say that the customer wrote it.
    receiveAnswer(server, messageId, 'Tuesday at six');
    const sent = await server.waitForEmail(messageId);
    const path = /\/case\/\S+/.exec(sent.replace(/=\r?\n/g, ''))?.[0] ?? '';
    await page.goto(path);
    const width = () => page.locator('html').evaluate((html) => html.scrollWidth);
    expect(await width()).toBe(320);
    await expect(page.locator('main')).toContainText('We emailed you');
    await expect(page.locator('main')).not.toContainText('You wrote');
    await page.getByRole('button', { name: 'Send message' }).click();
    expect(await width()).toBe(320);
    await page.locator('textarea').fill(`The gate code is 4411. ${'W'.repeat(400)}`);
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByText('Your message has reached our office')).toBeVisible();
    await expect(page.locator('main')).toContainText('You wrote');
    expect(await width()).toBe(320);
    const desk = await browser.newPage({
      baseURL,
      javaScriptEnabled: true,
      viewport: { width: 1280, height: 900 },
    });
    await openDesk(desk, place);
    await desk.keyboard.press('j');
    await desk.keyboard.press('Enter');
    const panel = desk.getByRole('complementary');
    await expect(panel.getByRole('listitem').filter({ hasText: 'The gate code is 4411.' })).toBeVisible();
    await page.getByRole('button', { name: 'Close this request' }).click();
    await expect(page.getByRole('heading', { name: 'You closed this request' })).toBeVisible();
    await expect(panel).toContainText('settled');
    await desk.close();
  });

  test.describe('with JavaScript', () => {
    test.use({ javaScriptEnabled: true });

    test('the status page has no accessibility violations', async ({ page, request, server }) => {
      const place = uniqueLocation();
      const id = await createQuote(request, place, { emergency_contact: false });
      await answered(server, request, { id, subject: `Guards for ${place}` });
      const sent = server.emails().find((mail) => mail.includes(`Subject: Guards for ${place}`)) ?? '';
      await page.goto(/\/case\/\S+/.exec(sent.replace(/=\r?\n/g, ''))?.[0] ?? '');
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page)).toEqual([]);
      }
    });
  });
});
