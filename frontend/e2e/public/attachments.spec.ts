// Files of the quote form: chosen, dropped and pasted; sent after the request; refused and lost.
import { readFileSync } from 'node:fs';
import { expect, fillQuote, send, test } from '../fixtures';

const pdf = (text: string, size = 0) =>
  Buffer.concat([Buffer.from(`%PDF-1.7\n% ${text}\n`), Buffer.alloc(size, 120)]);
const file = (name: string, buffer: Buffer, mimeType = 'application/pdf') => ({ name, mimeType, buffer });
const photo = readFileSync(new URL('../../dist/og/home.png', import.meta.url));

const chosen = '#chosen-files li';
const sent = '.sent-files li';

/** The keys and states of the stored files, as `guardpost files list` prints them. */
function stored(server: { command(args: string[]): string }): { key: string; size: number }[] {
  return JSON.parse(server.command(['files', 'list', '--json']));
}

test('files are sent after the request, and the page says which have arrived', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto('/quote');
  expect(loaded.filter((url) => url.includes('/attachments-'))).toEqual([]);
  const location = `Galveston ${Date.now()}`;
  await fillQuote(page, { location });
  const field = page.getByLabel('Files (optional)');
  const button = await field.evaluate((one) => getComputedStyle(one, '::file-selector-button').height);
  expect(Number.parseFloat(button)).toBeGreaterThanOrEqual(44);
  await field.setInputFiles([file('Grundriß Süd.pdf', pdf(location)), file('gate.png', photo, 'image/png')]);
  await expect(page.locator(chosen)).toHaveCount(2);
  // The field is empty for the next ones: its "No file chosen" is not to be read above the list.
  await expect(field).toHaveCSS('color', 'rgba(0, 0, 0, 0)');
  await expect(page.locator(chosen).first()).toContainText('Grundriß Süd.pdf 1 KB');
  await field.setInputFiles(file('plan 2.pdf', pdf('two')));
  await page.getByRole('button', { name: 'Remove: plan 2.pdf' }).click();
  await expect(page.locator('#announcer')).toHaveText('plan 2.pdf removed');
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { name: '2 of 2 files arrived' })).toBeVisible();
  // They are told below the confirmation, in its box; the toast has no empty line.
  const boxes = await page.evaluate(() =>
    ['.banner', '.sent-files', '.toast', '.toast > div'].map((one) => {
      const { top = 0, bottom = 0 } = document.querySelector(one)?.getBoundingClientRect() ?? {};
      return { top, bottom, middle: Math.round((top + bottom) / 2) };
    }),
  );
  expect(boxes[1]?.top).toBe(boxes[0]?.bottom);
  expect(boxes[3]?.middle).toBe(boxes[2]?.middle);
  // The toast leaves in sight what became of the files, and the introduction of the page.
  const covered = () =>
    page.evaluate(() => {
      const toast = document.querySelector('.toast')?.getBoundingClientRect();
      const beside = document.querySelectorAll('.sent-files, .page-head h1, .page-head p');
      const spans = [...beside].map((one) => one.getBoundingClientRect());
      return toast && spans.filter(({ top, bottom }) => top < toast.bottom && bottom > toast.top).length;
    });
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(covered, `${width} px`).toBe(0);
  }
  await expect(page.locator(chosen)).toHaveCount(0);
  await expect(page.locator(sent).first()).toContainText('Arrived');
  const row = server
    .command(['export-quotes', '--format', 'jsonl'])
    .split('\n')
    .find((line) => line.includes(location));
  const { id } = JSON.parse(row ?? '{}');
  const keys = stored(server).map(({ key }) => key);
  expect(keys.filter((key) => key.startsWith(id)).sort()).toEqual([
    `${id}/Grundri- S-d.pdf`,
    `${id}/gate.png`,
  ]);
});

test('what cannot be sent is said before it is sent, and the request goes without it', async ({
  page,
  server,
}) => {
  await page.goto('/quote');
  const location = `Baytown ${Date.now()}`;
  await fillQuote(page, { location });
  await page
    .getByLabel('Files (optional)')
    .setInputFiles([
      file('IMG_1.HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0'), 'image/heic'),
      file('plans.zip', Buffer.from('PK\x03\x04'), 'application/zip'),
      file('big.pdf', pdf('big', 10_485_760)),
      ...[1, 2, 3, 4, 5, 6].map((n) => file(`${n}.pdf`, pdf(`${n} of ${location}`))),
    ]);
  const row = (name: string) => page.locator(chosen).filter({ hasText: name });
  await expect(row('IMG_1.HEIC')).toContainText('Most Compatible');
  await expect(row('plans.zip')).toContainText('We take JPEG, PNG, WebP and PDF files');
  await expect(row('big.pdf')).toContainText('larger than 10 MB');
  await expect(row('6.pdf')).toContainText('more than five files');
  await expect(page.locator('#announcer')).toHaveText(/6\.pdf is not added: This is more than five/);
  await send(page);
  await expect(page.getByRole('heading', { name: '5 of 5 files arrived' })).toBeVisible();
  expect(server.command(['export-quotes', '--format', 'jsonl'])).toContain(location);
});

test('a cut line is told, and the upload goes on where it stopped', async ({ page, server }) => {
  await page.goto('/quote');
  const location = `Katy ${Date.now()}`;
  const content = pdf(location, 400_000);
  await fillQuote(page, { location });
  await page.getByLabel('Files (optional)').setInputFiles(file('plan.pdf', content));
  await expect(page.locator(chosen)).toHaveCount(1);
  const offsets: string[] = [];
  let cut = false;
  await page.route('**/upload/resumable/sign/*', async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    offsets.push(request.headers()['upload-offset'] ?? '');
    if (cut) return route.continue();
    cut = true;
    // The connection is lost after the first half.
    await fetch(request.url(), {
      method: 'PATCH',
      headers: { ...request.headers(), 'content-length': '200000' },
      body: new Uint8Array(content.subarray(0, 200_000)),
    });
    await route.abort('connectionreset');
  });
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { name: '1 of 1 file arrived' })).toBeVisible();
  expect(offsets).toEqual(['0', '200000']);
  expect(stored(server).some(({ size }) => size === content.length)).toBe(true);
});

test('a refused file and a canceled one lose neither the request nor the others', async ({
  page,
  server,
}) => {
  await page.goto('/quote');
  const location = `Conroe ${Date.now()}`;
  await fillQuote(page, { location });
  const broken = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('no picture')]);
  const late = file('late.pdf', pdf('late'));
  await page
    .getByLabel('Files (optional)')
    .setInputFiles([file('broken.png', broken, 'image/png'), file('good.pdf', pdf(location)), late]);
  await expect(page.locator(chosen)).toHaveCount(3);
  let release = () => {};
  const held = new Promise<void>((go) => {
    release = go;
  });
  await page.route('**/upload/resumable/sign', async (route) => {
    await held;
    await route.continue();
  });
  await send(page);
  await page.getByRole('button', { name: 'Cancel: late.pdf' }).click();
  await expect(page.getByRole('button', { name: 'Cancel: good.pdf' })).toBeFocused();
  release();
  await expect(page.getByRole('heading', { name: '1 of 2 files arrived' })).toBeVisible();
  await expect(page.locator(sent).filter({ hasText: 'broken.png' })).toContainText('We take JPEG');
  await expect(page.getByText('Your request is in, with or without these files.')).toBeVisible();
  expect(server.command(['export-quotes', '--format', 'jsonl'])).toContain(location);
});

test('a file that was given up is sent when it is tried again', async ({ page }) => {
  await page.clock.install();
  await page.goto('/quote');
  await fillQuote(page, { location: `Alvin ${Date.now()}` });
  await page.getByLabel('Files (optional)').setInputFiles(file('plan.pdf', pdf('again')));
  await expect(page.locator(chosen)).toHaveCount(1);
  await page.route('**/upload/resumable/sign', (route) => route.abort());
  await send(page);
  await expect(page.getByText('The connection is lost.')).toBeVisible();
  const again = page.getByRole('button', { name: 'Try again: plan.pdf' });
  await expect(async () => {
    await page.clock.runFor(15_000);
    await expect(again).toBeVisible({ timeout: 100 });
  }).toPass();
  await page.unroute('**/upload/resumable/sign');
  await again.click();
  await expect(page.getByRole('heading', { name: '1 of 1 file arrived' })).toBeVisible();
});

test('files are dropped on the form and pasted, and a pasted text stays a text', async ({ page }) => {
  await page.goto('/quote');
  const give = (type: 'drop' | 'paste', name: string, text = '') =>
    page.evaluate(
      ([kind, fileName, words]) => {
        const data = new DataTransfer();
        data.items.add(new File(['%PDF-1.7'], fileName as string));
        if (words) data.setData('text/plain', words);
        const options = { bubbles: true, cancelable: true };
        const target = document.querySelector('form.form textarea');
        target?.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { ...options, dataTransfer: data })
            : new ClipboardEvent('paste', { ...options, clipboardData: data }),
        );
      },
      [type, name, text],
    );
  await give('drop', 'dropped.pdf');
  await expect(page.locator(chosen)).toContainText(['dropped.pdf']);
  await give('paste', 'cells.pdf', 'A1 B1');
  await give('paste', 'pasted.pdf');
  await expect(page.locator(chosen)).toContainText(['dropped.pdf', 'pasted.pdf']);
});

test('the keyboard alone chooses, removes and sends', async ({ page }) => {
  await page.goto('/quote');
  const field = page.getByLabel('Files (optional)');
  await field.setInputFiles([file('a.pdf', pdf('a')), file('b.pdf', pdf('b'))]);
  await expect(page.locator(chosen)).toHaveCount(2);
  await field.focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Remove: a.pdf' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove: b.pdf' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(field).toBeFocused();
});

test('when the code for files cannot be loaded, the form takes them along itself', async ({
  page,
  server,
}) => {
  await page.route('**/attachments-*.js', (route) => route.abort());
  await page.goto('/quote');
  const location = `Tomball ${Date.now()}`;
  await fillQuote(page, { location });
  await page.getByLabel('Files (optional)').setInputFiles(file('plan.pdf', pdf(location, 777)));
  await send(page);
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  expect(server.command(['export-quotes', '--format', 'jsonl'])).toContain(location);
  expect(stored(server).some(({ size }) => size === pdf(location, 777).length)).toBe(true);
});

test('the page names a refused file that the form took along itself', async ({ page }) => {
  await page.route('**/attachments-*.js', (route) => route.abort());
  await page.goto('/quote');
  await fillQuote(page, { location: `Spring ${Date.now()}` });
  await page
    .getByLabel('Files (optional)')
    .setInputFiles(file('plans.zip', Buffer.from('PK\x03\x04'), 'application/zip'));
  await send(page);
  await expect(page.getByText('plans.zip: We take JPEG, PNG, WebP and PDF files.')).toBeVisible();
  // The code of the page leaves it so.
  await page.waitForFunction(() => history.scrollRestoration === 'manual');
  await expect(page.getByText('plans.zip: We take JPEG, PNG, WebP and PDF files.')).toBeVisible();
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
  await expect(page.locator('form.form')).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('files go with the form, and the page names those that were refused', async ({ page, server }) => {
    await page.goto('/quote');
    const location = `Humble ${Date.now()}`;
    await fillQuote(page, { location });
    await page
      .getByLabel('Files (optional)')
      .setInputFiles([
        file('plan.pdf', pdf(location, 999)),
        file('plans.zip', Buffer.from('PK\x03\x04'), 'application/zip'),
      ]);
    await send(page);
    await expect(page.getByText('plans.zip: We take JPEG, PNG, WebP and PDF files.')).toBeVisible();
    await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();
    await expect(page.getByText('Your reference: GP-')).toBeVisible();
    expect(stored(server).some(({ size }) => size === pdf(location, 999).length)).toBe(true);
  });
});
