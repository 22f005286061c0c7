// The files of a request in the dashboard: shown, opened, downloaded, added, removed.
import { readFileSync } from 'node:fs';
import type { APIRequestContext, Page } from '@playwright/test';
import { answered, createQuote, openDesk, openFiles, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, test } from '../fixtures';

const photo = readFileSync(new URL('../../dist/og/home.png', import.meta.url));

/** A request at `place` with these files, as a visitor sends it. */
async function createWithFiles(request: APIRequestContext, place: string, files: Record<string, Buffer>) {
  const asked = await request.post('/api/quotes', {
    headers: {
      'X-Forwarded-For': `203.1.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
    },
    data: {
      first_name: 'Marta',
      last_name: 'Núñez',
      email: 'marta@property.example',
      phone: '(713) 555-0188',
      service_type: 'fire-watch',
      location: place,
      start_date: '2099-12-01',
      duration: '1-week',
      attachments: true,
    },
  });
  expect(asked.status()).toBe(201);
  const { uploads } = await asked.json();
  for (const [name, data] of Object.entries(files)) {
    const answer = await request.put(`${uploads.url}${name}?token=${uploads.token}`, { data });
    expect(answer.status()).toBe(200);
  }
}

/** Opens the request at `place`, and the list of its files. */
async function openFilesOf(page: Page, place: string) {
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').click();
  return openFiles(page);
}

test('pictures are shown, documents are downloaded or opened in a tab of their own', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  await createWithFiles(request, place, { 'gate.png': photo, 'plan.pdf': Buffer.from(`%PDF-1.7 ${place}`) });
  const files = await openFilesOf(page, place);
  await expect(files.getByRole('listitem')).toHaveCount(2);
  await expect(files).toContainText('not scanned');
  await expect(files.getByRole('listitem').first()).toContainText(
    /· the customer, \w{3}\s\d+,\s\d+:\d\d\s[AP]M/,
  );
  const image = files.locator('img');
  await expect(image).toHaveCount(1);
  await expect
    .poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  const openPdf = files.getByRole('link', { name: 'Open plan.pdf' });
  await expect(openPdf).toHaveAttribute('target', '_blank');
  const served = await request.get((await openPdf.getAttribute('href')) ?? '');
  expect(served.headers()['content-security-policy']).toContain('sandbox');
  const started = page.waitForEvent('download');
  await files.getByRole('link', { name: 'Download plan.pdf' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe('plan.pdf');
  expect(readFileSync(await download.path(), 'utf8')).toBe(`%PDF-1.7 ${place}`);
  const opened = page.waitForEvent('popup');
  await files.getByRole('link', { name: 'Open gate.png' }).last().click();
  expect((await opened).url()).toContain('/storage/v1/object/sign/quotes/');
});

test('files are added and, after a second press, removed', async ({ page, request }) => {
  const place = uniqueLocation();
  await createWithFiles(request, place, { 'plan.pdf': Buffer.from(`%PDF-1.7 ${place}`) });
  const files = await openFilesOf(page, place);
  const pdf = (text: string) => ({
    name: 'plan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.7 ${text} ${place}`),
  });
  await files.getByLabel('Add files').setInputFiles(pdf('ours'));
  await expect(files.getByRole('listitem')).toHaveCount(2);
  await expect(files).toContainText('· dispatch, ');
  await page.locator('h2#panel-title').click();
  await page.keyboard.press('z');
  await expect(page.locator('.toast')).toContainText('plan.pdf is no longer in the request.');
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await files.getByLabel('Add files').setInputFiles(pdf('ours'));
  await expect(files.getByRole('listitem')).toHaveCount(2);
  await files
    .getByLabel('Add files')
    .setInputFiles({ ...pdf(''), name: 'a.zip', buffer: Buffer.from('PK\x03\x04') });
  await expect(page.getByText('a.zip was not added')).toBeVisible();
  await files.getByRole('button', { name: 'Remove plan.pdf' }).first().click();
  await files.getByRole('button', { name: 'Really remove plan.pdf' }).click();
  await expect(files.getByRole('listitem')).toHaveCount(1);
  const history = page.locator('.timeline');
  await expect(history).toContainText('Removed the file plan.pdf');
  await expect(history.getByText('Added the file plan.pdf').first()).toBeVisible();
});

test('an infected file is marked and has no links', async ({ page, request }) => {
  const place = uniqueLocation();
  await createWithFiles(request, place, { 'gate.png': photo });
  await page.route('**/api/admin/inbox/*-*', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const file of body.files ?? []) file.scan = 'infected';
    await route.fulfill({ response: answer, json: body });
  });
  const files = await openFilesOf(page, place);
  await expect(files.getByRole('heading')).toHaveText('Files (1), 1 infected');
  await expect(files).toContainText('Infected. It cannot be opened.');
  await expect(files.getByRole('link')).toHaveCount(0);
  await expect(files.locator('img')).toHaveCount(0);
});

test('files of the form, of an email and of ours are one folded list beside the conversation', async ({
  page,
  request,
  server,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const place = uniqueLocation();
  const id = await createQuote(request, place, { emergency_contact: false });
  const messageId = await answered(server, request, { id, subject: `Guards for ${place}` });
  server.command(
    ['receive'],
    `From: Marta Núñez <marta@property.example>\nTo: office@guardpost.example\nSubject: Re: Guards\nMessage-ID: <files.${messageId.slice(1)}\nIn-Reply-To: ${messageId}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThe plan of the gate.\n--b\nContent-Type: application/pdf; name=gate.pdf\nContent-Disposition: attachment; filename=gate.pdf\n\n%PDF-1.7 gate\n--b--\n`,
  );
  await openDesk(page, place);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const line = page.getByRole('heading', { name: 'Files (1)' });
  const message = page.getByRole('listitem').filter({ hasText: 'The plan of the gate.' });
  await expect(message).toBeInViewport();
  await expect(page.locator('.request-files')).toBeHidden();
  const box = async (of: typeof line) => (await of.boundingBox()) ?? { x: 0, width: 0, height: 0 };
  const [beside, said] = [await box(line), await box(message)];
  expect(beside.height).toBeLessThan(48);
  expect(beside.x).toBeGreaterThanOrEqual(said.x + said.width);
  const files = await openFiles(page);
  const sent = files.getByRole('listitem').filter({ hasText: 'gate.pdf' });
  await expect(sent).toContainText(/^pdfgate\.pdf1 KB · Marta Núñez by email, /);
  const started = page.waitForEvent('download');
  await sent.getByRole('link', { name: 'Download gate.pdf' }).click();
  expect(readFileSync(await (await started).path(), 'utf8')).toContain('%PDF-1.7 gate');
  await files.getByLabel('Add files').setInputFiles({
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`The gate is north of ${place}.`),
  });
  await expect(page.getByRole('heading', { name: 'Files (2)' })).toBeVisible();
  await expect(files.getByRole('listitem').filter({ hasText: 'plan.txt' })).toContainText('· dispatch, ');
});
