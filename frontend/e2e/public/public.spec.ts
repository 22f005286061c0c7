// The public pages as visitors use them (specification section 2).
import { recordChanges, recordedChanges } from '../document-changes';
import { expect, failOnConsoleErrors, test } from '../fixtures';
import { all, states } from '../routes';

test('every route answers with its own page, whole without JavaScript', async ({ request }) => {
  const titles = new Set<string>();
  for (const path of all) {
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(200);
    const html = await answer.text();
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? '';
    expect(titles.has(title), `${path} shares its title: ${title}`).toBe(false);
    titles.add(title);
    expect(html, path).toMatch(/<meta name="description" content="[^"]{50,}/);
    expect(html, path).toMatch(new RegExp(`<link rel="canonical" href="[^"]*${path}"`));
    expect(html, path).toMatch(/<h1[ >]/);
    expect(html, path).not.toContain('{{');
  }
  expect(states).toHaveLength(50);
});

test('before the first paint, a page asks for nothing but its two fonts', async ({ page }) => {
  for (const path of ['/', '/locations', '/quote', '/contact']) {
    await page.goto(path);
    const early = await page.evaluate(() => {
      const painted = performance.getEntriesByName('first-paint')[0]?.startTime ?? 0;
      // Newer versions of Chromium ask for the icon at once; the first paint does not wait for it.
      const files = performance
        .getEntriesByType('resource')
        .filter(({ name }) => !/\/scenes\/|\/favicon\.svg$/.test(name));
      return files.filter(({ startTime }) => startTime < painted).map(({ name }) => name);
    });
    expect(early[0], path).toMatch(/\/heading-\w+\.woff2$/);
    expect(
      early.slice(1).filter((name) => !/\/text-\w+\.woff2$/.test(name)),
      path,
    ).toEqual([]);
  }
});

test('maps and print styles come later; without scripts, only print styles', async ({ page, browser }) => {
  for (const path of ['/', '/locations']) {
    await page.goto(path);
    await expect(page.locator('.us-map use[href*="us-map"]')).toHaveCount(50);
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('.site-footer nav').first()).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
  }
  const office = page.getByRole('img', { name: /our office is in Houston, TX/ });
  await expect(office.locator('use')).toHaveCount(2);
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(new URL('/locations', page.url()).href);
  const maps = await plain.locator('main svg:has(use)').all();
  expect(maps).toHaveLength(2);
  for (const map of maps) await expect(map).toBeHidden();
  await plain.emulateMedia({ media: 'print' });
  await expect(plain.locator('.site-footer nav').first()).toBeHidden();
  await plain.close();
});

test('an unknown path is a 404 with the not-found page, and the console shows the path', async ({ page }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.locator('main')).toContainText('404');
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
  await expect.poll(() => said.some((text) => text.includes('/no/such/page'))).toBe(true);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('Home calls, asks for a quote, and drafts an email to the office', async ({ page }) => {
  const noComplaint = failOnConsoleErrors(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: /Call/ }).first()).toHaveAttribute('href', /^tel:\+1/);
  await expect(page.getByRole('link', { name: 'Get Quote Now' })).toHaveAttribute('href', '/quote');
  const draft = page.getByRole('link', { name: 'Contact Us Today' }).first();
  await expect(draft).toHaveAttribute('href', /^mailto:[^?]+\?subject=.+&body=.+/);
  noComplaint();
});

test('a state on the map or in the list beside it says who licenses guards and how soon one is there', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const fact = page.locator('.us-map a[href="/states/texas"] text');
  await expect(fact).toBeHidden();
  await page.locator('.us-map a[href="/states/texas"] use').hover();
  await expect(fact).toHaveText('Texas: guards licensed by the state, on site in 2 to 4 hours');
  await expect(fact).toBeVisible();
  const link = page.locator('.states a[href="/states/colorado"]');
  await link.focus();
  const shown = () => link.evaluate((one) => getComputedStyle(one, '::after').content);
  expect(await shown()).toContain('Colorado: cities set the rules, on site in 2 to 4 hours');
});

test('a link into a page stops at its section, though the bands above are laid out late', async ({
  page,
}) => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const id of ['faq', 'news', 'contact']) {
      await page.goto('/about');
      await page.goto(`/#${id}`);
      const top = () =>
        page.locator(`#${id}`).evaluate((band) => Math.round(band.getBoundingClientRect().top));
      await expect.poll(top, `#${id} at ${width} px`).toBeLessThan(200);
      await page.mouse.move(width / 2, 400);
      await page.mouse.wheel(0, -2000);
      await page.mouse.wheel(0, 2000);
      await expect.poll(top, `#${id} at ${width} px after scrolling up and down`).toBeGreaterThan(-200);
    }
  }
});

test('one question is open at a time and each can be closed', async ({ page }) => {
  await page.goto('/');
  const questions = page.locator('#faq details');
  await questions.nth(0).locator('summary').click();
  await expect(questions.nth(0)).toHaveAttribute('open');
  await questions.nth(3).locator('summary').click();
  await expect(questions.nth(3)).toHaveAttribute('open');
  await expect(questions.nth(0)).not.toHaveAttribute('open');
  await questions.nth(3).locator('summary').click();
  await expect(page.locator('#faq details[open]')).toHaveCount(0);
});

test('a release opens in place', async ({ page }) => {
  await page.goto('/');
  const release = page.locator('#news article').first();
  await release.getByText('Read Full Release').click();
  await expect(release.locator('details p').first()).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('the Services menu lists the five services and the active route is marked', async ({ page }) => {
  await page.goto('/mobile-patrol');
  const header = page.getByRole('banner');
  await header.locator('.dropdown summary').first().click();
  for (const name of [
    'Fire Watch Guards',
    'Security Guard Services',
    'Mobile Patrol',
    'Surveillance Services',
    'Concierge Services',
  ]) {
    await expect(header.getByRole('link', { name, exact: true })).toBeVisible();
  }
  await expect(header.getByRole('link', { name: 'Mobile Patrol', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await page.keyboard.press('Escape');
  await expect(header.getByRole('link', { name: 'Fire Watch Guards' })).toBeHidden();
});

for (const [path, value, option] of [
  ['/fire-watch', 'fire-watch', 'fire-watch'],
  ['/security-services', 'security-guards', 'armed-security'],
  ['/mobile-patrol', 'mobile-patrol', 'mobile-patrol'],
  ['/surveillance', 'surveillance', 'surveillance'],
  ['/concierge', 'concierge', 'concierge'],
] as const) {
  test(`the quote links of ${path} choose ${option}`, async ({ page }) => {
    await page.goto(path);
    const links = page.locator(`main a[href="/quote?service=${value}"]`);
    expect(await links.count()).toBeGreaterThan(0);
    await links.first().click();
    await expect(page).toHaveURL(`/quote?service=${value}`);
    await expect(page.locator('[name="serviceType"]')).toHaveValue(option);
    await page.reload();
    await expect(page.locator('[name="serviceType"]')).toHaveValue(option);
    await page.goto(`/quote?utm_source=x&service=${value}`);
    await expect(page.locator('[name="serviceType"]')).toHaveValue(option);
  });
}

test('a state page shows fixed figures and its own outline', async ({ page }) => {
  await page.goto('/states/new-hampshire');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('New Hampshire');
  await expect(page.getByText('24/7').first()).toBeVisible();
  const text = await page.locator('main').textContent();
  await page.reload();
  expect(await page.locator('main').textContent()).toBe(text);
  expect(await page.locator('main svg').count()).toBeGreaterThan(0);
});

test('moving between pages takes title, focus, scroll and picture along without a reload', async ({
  page,
}) => {
  const noComplaint = failOnConsoleErrors(page);
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.getByRole('banner').getByRole('link', { name: 'Prices', exact: true }).click();
  await expect(page).toHaveURL('/prices');
  await expect(page).toHaveTitle(/Costs/);
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await expect(page.locator('main .scene img').first()).toHaveJSProperty('naturalWidth', 640);
  await page.goBack();
  await expect(page).toHaveURL('/');
  noComplaint();
});

test('hydration changes nothing in the page', async ({ page }) => {
  await recordChanges(page);
  for (const path of ['/', '/fire-watch', '/contact?service=certificate', '/quote', '/states/texas']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(await recordedChanges(page), path).toEqual([]);
  }
});

test('the styles are there with the document, and the code is fetched when the page has been painted', async ({
  page,
}) => {
  const noComplaint = failOnConsoleErrors(page);
  for (const path of ['/', '/quote', '/states/texas']) {
    await page.goto(path);
    const fetched = await page.evaluate(() => {
      const painted = performance.getEntriesByName('first-paint')[0]?.startTime ?? 0;
      const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'));
      return {
        code: files.filter(({ name }) => name.endsWith('.js')).map(({ startTime }) => startTime > painted),
        styles: files.filter(({ name }) => name.endsWith('.css')).length,
      };
    });
    expect(new Set(fetched.code), path).toEqual(new Set([true]));
    expect(fetched.styles, path).toBe(0);
  }
  noComplaint();
});
