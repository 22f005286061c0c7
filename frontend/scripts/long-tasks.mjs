// Long tasks of the public pages: with the processor slowed down fourfold, the longest task after
// the first paint of each kind of page. `just long-tasks [runs]`.
import { chromium as browserType } from '@playwright/test';
import { chromium, chromiumFlags, withServer } from './test-server.mjs';

const pages = [
  '/',
  '/quote',
  '/contact',
  '/about',
  '/fire-watch',
  '/event-security',
  '/locations',
  '/states/texas',
  '/insurance',
  '/prices',
  '/licensing',
  '/careers',
  '/privacy',
];
const runs = Number(process.argv[2] ?? 5);
/** Milliseconds from which a task is long (W3C Long Tasks, section 1). */
const long = 50;

/**
 * Loads `url` with an empty cache; the milliseconds of processor time of each task of the page's
 * main thread that began after the first paint. Processor time, since other programs take turns.
 */
async function measure(browser, url) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await browser.startTracing(page, { categories: ['toplevel', 'loading'] });
  await page.goto(url, { waitUntil: 'load' });
  // Hydration and what waits for an idle moment have run by then.
  await page.waitForTimeout(2500);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  await context.close();
  const paint = traceEvents.find(({ name }) => name === 'firstContentfulPaint');
  return traceEvents
    .filter(
      ({ name, pid, tid, ts }) =>
        /RunTask$/.test(name) && pid === paint.pid && tid === paint.tid && ts >= paint.ts,
    )
    .map(({ tdur = 0 }) => tdur / 1000);
}

await withServer(process.env.BUILD ?? 'release', async (address) => {
  const browser = await browserType.launch({ executablePath: chromium, args: chromiumFlags });
  const table = {};
  for (const path of pages) {
    const loads = [];
    for (let run = 0; run < runs; run += 1) loads.push(await measure(browser, address + path));
    table[path] = {
      loads: runs,
      'with a long task': loads.filter((tasks) => Math.max(...tasks) > long).length,
      'longest ms': Math.round(Math.max(...loads.flat())),
    };
    console.error(path, JSON.stringify(table[path]));
  }
  console.table(table);
  await browser.close();
});
