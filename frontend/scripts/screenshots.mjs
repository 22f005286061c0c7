// The README's pictures, from the running product: `just screenshots`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium as browsers } from '@playwright/test';
import { pictureSources } from './picture-sources.mjs';
import { admin, chromium, chromiumFlags, signIn, withServer } from './test-server.mjs';

const folder = resolve(import.meta.dirname, '../../docs/screenshots');
mkdirSync(folder, { recursive: true });

const shots = [
  { name: 'home', path: '/', width: 1280, height: 900 },
  { name: 'fire-watch', path: '/fire-watch', width: 1280, height: 900 },
  { name: 'state', path: '/states/texas', width: 1280, height: 900 },
  { name: 'quote-phone', path: '/quote', width: 390, height: 844 },
  { name: 'home-phone', path: '/', width: 390, height: 844 },
];

await withServer('debug', async (address) => {
  const browser = await browsers.launch({ executablePath: chromium, args: chromiumFlags });
  for (const { name, path, width, height } of shots) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.goto(address + path, { waitUntil: 'networkidle' });
    await page.screenshot({ path: `${folder}/${name}.jpg`, type: 'jpeg', quality: 72 });
    await page.close();
  }
  const desk = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
  await signIn(desk, admin, address);
  await desk.getByText('Successfully signed in to admin panel.').waitFor();
  await desk.getByRole('button', { name: 'Close', exact: true }).click();
  await desk.getByRole('button', { name: 'Accept' }).first().waitFor();
  await desk.mouse.move(0, 0);
  await desk.screenshot({ path: `${folder}/desk.jpg`, type: 'jpeg', quality: 72 });
  await browser.close();
});

await withServer(
  'debug',
  async (address) => {
    const browser = await browsers.launch({ executablePath: chromium, args: chromiumFlags });
    const page = await browser.newPage({ viewport: { width: 1280, height: 1500 } });
    await signIn(page, admin, address);
    await page.getByText('Successfully signed in to admin panel.').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('link', { name: 'Figures' }).click();
    await page.getByRole('link', { name: 'This quarter' }).click();
    await page.locator('.figures-body[aria-busy="false"]').waitFor();
    await page.screenshot({ path: `${folder}/figures.jpg`, type: 'jpeg', quality: 72 });
    await browser.close();
  },
  ['seed-demo', '--year'],
);

writeFileSync(`${folder}/sources.json`, `${JSON.stringify(pictureSources(), null, 2)}\n`);
