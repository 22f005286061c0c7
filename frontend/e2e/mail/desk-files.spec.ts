// The files of a request in the dashboard: shown, opened, downloaded, added, removed.
import { readFileSync } from 'node:fs';
import type { APIRequestContext } from '@playwright/test';
import { openDesk, rowOf, uniqueLocation } from '../desk-helpers';
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

test('pictures are shown, documents are downloaded or opened in a tab of their own', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  await createWithFiles(request, place, { 'gate.png': photo, 'plan.pdf': Buffer.from(`%PDF-1.7 ${place}`) });
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').click();
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files.getByRole('listitem')).toHaveCount(2);
  await expect(files).toContainText('not scanned');
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
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').click();
  const files = page.getByRole('region', { name: 'Files' });
  const pdf = (text: string) => ({
    name: 'plan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(`%PDF-1.7 ${text} ${place}`),
  });
  await files.getByLabel('Add files').setInputFiles(pdf('ours'));
  await expect(files.getByRole('listitem')).toHaveCount(2);
  await expect(files).toContainText('added by us');
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
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').click();
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files).toContainText('Infected. It cannot be opened.');
  await expect(files.getByRole('link')).toHaveCount(0);
  await expect(files.locator('img')).toHaveCount(0);
});
