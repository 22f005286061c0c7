// The dashboard with 10,000 requests in Chromium: long tasks while all of them are scrolled
// through, and the time from the last key of a search to the painted list. `just dashboard-speed`.
import { chromium as browserType } from '@playwright/test';
import { admin, chromium, chromiumFlags, signIn, start } from './test-server.mjs';

const requests = 10_000;
/** Posts at once. */
const connections = 32;
/** Typed one after another; the last of each list of letters is the key that is timed. */
const searches = ['lopez', 'houston', 'panel', 'denver', 'garage', 'miller', 'dallas', 'number 77'];
const rounds = 5;
/** Milliseconds between two keys: a fast typist. */
const keyDelay = 90;
const first = ['Marta', 'James', 'Dana', 'Luis', 'Priya', 'Owen', 'Grace'];
const last = ['Lopez', 'Miller', 'Nguyen', 'Brown', 'Garcia', 'Smith', 'Patel', 'Young'];
const places = ['Houston, TX', 'Denver, CO', 'Dallas, TX', 'Reno, NV', 'Tampa, FL'];
const texts = ['Panel is down on floors 3 to 9', 'Garage doors stay open at night', 'Two guards at the gate'];

const build = process.env.BUILD ?? 'release';
const settings = {
  ...process.env,
  RUST_LOG: 'error',
  GUARDPOST_SERVER__TRUSTED_PROXIES: '["127.0.0.0/8"]',
  GUARDPOST_LIMITS__FORM_MAX: '1000000000',
  GUARDPOST_LIMITS__API_PER_MINUTE: '4294967295',
};

async function fill(address) {
  let next = 0;
  const post = async () => {
    for (let n = next++; n < requests; n = next++) {
      const response = await fetch(`${address}/api/quotes`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Forwarded-For': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
        },
        body: JSON.stringify({
          first_name: first[n % first.length],
          last_name: last[n % last.length],
          email: `person${n}@property.example`,
          phone: `(713) 555-${String(n).padStart(4, '0')}`,
          service_type: 'fire-watch',
          location: places[n % places.length],
          start_date: '2099-12-01',
          duration: '1-week',
          description: `${texts[n % texts.length]}, number ${n}`,
        }),
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, post));
}

/** Scrolls to the end, a window's height at a time; the durations of the long tasks. */
async function scroll(page) {
  await page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries())).observe({ type: 'longtask' });
  });
  while (await page.locator('.more').count()) {
    for (let turn = 0; turn < 6; turn += 1) {
      await page.mouse.wheel(0, 400);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
  }
  return page.evaluate(() => ({
    tasks: window.tasks.map(({ duration }) => Math.round(duration)),
    place: Math.round(scrollY),
  }));
}

/** Milliseconds from the last key of `text` until a list of its answer is painted. */
async function search(page, text) {
  const box = page.getByRole('searchbox');
  await box.fill('');
  await page.waitForTimeout(600);
  await page.evaluate(() => {
    const list = document.querySelector('.list');
    window.key = 0;
    window.painted = 0;
    document.activeElement.addEventListener('keydown', () => {
      window.key = performance.now();
    });
    window.watcher?.disconnect();
    window.watcher = new MutationObserver(() => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        // A message posted in a frame is handled after the frame has been painted.
        channel.port1.onmessage = () => {
          window.painted = performance.now();
        };
        channel.port2.postMessage(0);
      });
    });
    window.watcher.observe(list.parentElement, { subtree: true, childList: true });
  });
  await box.pressSequentially(text, { delay: keyDelay });
  await page.waitForTimeout(700);
  return page.evaluate(() => window.painted - window.key);
}

const server = await start(build, settings);
try {
  await fill(server.url);
  const browser = await browserType.launch({ executablePath: chromium, args: chromiumFlags });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await signIn(page, admin, server.url);
  await page.locator('.row').first().waitFor();

  const times = [];
  for (let round = 0; round < rounds; round += 1)
    for (const text of searches) times.push(await search(page, text));
  // Where the last key changes no row, the list was painted before it.
  const painted = times.filter((time) => time > 0).sort((one, other) => one - other);
  const at = (part) => Math.round(painted[Math.floor((painted.length - 1) * part)]);
  console.log(`search, last key to painted list: p50 ${at(0.5)}, p90 ${at(0.9)}, most ${at(1)} ms`);

  await page.goto(`${server.url}/admin?view=quotes`);
  await page.locator('.row').first().waitFor();
  await page.mouse.move(640, 500);
  const { tasks, place } = await scroll(page);
  console.log(`scrolling to ${place} px: ${tasks.length} long tasks`, JSON.stringify(tasks));
  await browser.close();
} finally {
  await server.stop();
}
