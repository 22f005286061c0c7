// The layout of the public pages at each width: the bar and the header, heights, lines.
import { expect, test } from '../fixtures';
import { boxOf } from '../layout-checks';
import { kinds, longest } from '../routes';
import { layOutBands } from '../violations';

test('on a phone, Home is short and its first screen has two actions', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await layOutBands(page);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(13_300);
  const actions = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('a[href^="tel:"], a[href="/quote"]')]
        .filter((link) => link.checkVisibility({ visibilityProperty: true }))
        .filter((link) => link.getBoundingClientRect().bottom < innerHeight)
        .filter((link) => link.getBoundingClientRect().bottom > 0)
        .map((link) => link.textContent),
    );
  expect(await actions()).toEqual(['Call (713) 555-0142', 'Get Quote Now']);
  await page.evaluate(() => scrollTo(0, 2000));
  await expect.poll(async () => (await actions()).slice(-2)).toEqual(['Call', 'Get Quote']);
});

test('on a phone the menu and its Services list open and close, and Call and Get Quote are within reach', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const menu = page.locator('details.menu');
  await menu.locator('summary').first().click();
  await expect(menu.getByRole('link', { name: 'Prices' })).toBeVisible();
  await menu.getByText('Services', { exact: true }).click();
  await expect(menu.getByRole('link', { name: 'Fire Watch Guards' })).toBeVisible();
  await menu.getByText('Services', { exact: true }).click();
  await expect(menu.getByRole('link', { name: 'Fire Watch Guards' })).toBeHidden();
  await menu.locator('summary').first().click();
  await expect(menu.getByRole('link', { name: 'Prices' })).toBeHidden();
  // The first screen of Home has the same actions; the bar comes with the first scroll.
  await page.evaluate(() => scrollTo(0, 2000));
  for (const name of [/^Call/, /^Get Quote/]) {
    const box = await page.locator('.bottom-bar').getByRole('link', { name }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  }
});

test('the bottom bar comes when the buttons of the head have left, and goes before those at the end', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.locator('.bottom-bar');
  for (const path of ['/', '/fire-watch', '/states/ohio', '/locations']) {
    await page.goto(path);
    await expect(bar, `${path}: its head`).toBeHidden();
    await page.evaluate(() => scrollTo(0, 1300));
    await expect(bar, `${path}: its middle`).toBeVisible();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(bar, `${path}: its footer`).toBeHidden();
  }
});

test('no sample record leaves a quarter of its width empty', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const path of ['/fire-watch', '/mobile-patrol', '/surveillance', '/concierge']) {
    await page.goto(path);
    const used = await page.locator('.record').evaluate((record) => {
      const { left, width } = record.getBoundingClientRect();
      const range = document.createRange();
      const ends = [...record.querySelectorAll('li span')].map((cell) => {
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().right;
      });
      return (Math.max(...ends) - left) / width;
    });
    expect(used, path).toBeGreaterThan(0.75);
  }
});

test('the ways to reach us end where the form beside them does', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const path of ['/', '/contact']) {
    await page.goto(path);
    await layOutBands(page);
    const ways = await boxOf(page.locator('.contact-ways'));
    const form = await boxOf(page.locator('.contact-columns .panel'));
    expect(Math.abs(ways.bottom - form.bottom), path).toBeLessThan(2);
  }
});

test.describe('with a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('every link that stands alone is 44 px high', async ({ page }) => {
    for (const path of [...kinds, ...longest]) {
      await page.goto(path);
      await layOutBands(page);
      const low = await page.locator('main a, footer a').evaluateAll((links) =>
        links
          .filter((link) => link.checkVisibility() && link.textContent === link.parentElement?.textContent)
          .filter((link) => getComputedStyle(link, '::after').position !== 'absolute')
          .filter((link) => link.getBoundingClientRect().height < 44)
          .map((link) => link.textContent),
      );
      expect.soft(low, path).toEqual([]);
    }
  });
});

test('an email address stays on one line at every width', async ({ page }) => {
  await page.goto('/contact');
  for (const width of [360, 390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const lines = await page
      .locator('main a[href^="mailto"]')
      .evaluateAll((links) => links.map((link) => link.getClientRects().length));
    expect(lines, `${width} px`).toEqual([1]);
  }
});

test('the links and the buttons of the header are in one row at every width', async ({ page }) => {
  await page.goto('/');
  for (const width of [360, 390, 768, 1023, 1024, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const heights = await page.locator('.main-bar').evaluate((bar) =>
      [...bar.children]
        .map((part) => part.getBoundingClientRect())
        .filter(({ height }) => height > 0)
        .map(({ top, height }) => Math.round(top + height / 2)),
    );
    expect(new Set(heights).size, `${width} px`).toBe(1);
  }
});

test('two seconds after the load, every band and picture is there, and scrolling changes no height', async ({
  page,
}) => {
  for (const width of [390, 1280])
    for (const path of kinds) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(path);
      const missing = () =>
        page.evaluate(() => {
          const bands = [...document.querySelectorAll('.band')].filter(
            (band) => getComputedStyle(band).contentVisibility === 'auto',
          );
          const pictures = [...document.querySelectorAll('img')].filter(
            (picture) => !picture.complete || !picture.naturalWidth,
          );
          return [...bands.map(({ id }) => id), ...pictures.map(({ src }) => src)];
        });
      await expect.poll(missing, { message: path, timeout: 2000 }).toEqual([]);
      const height = () => page.evaluate(() => document.documentElement.scrollHeight);
      const before = await height();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(await height(), `${path} at ${width}`).toBe(before);
    }
});

test('nothing covers the bar with Call and Get Quote, on any kind of page at any scroll', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 390, height: 844 });
  let seen = 0;
  for (const path of [...kinds, ...longest]) {
    await page.goto(path);
    const covered = await page.evaluate(async () => {
      const found: string[] = [];
      let seen = 0;
      for (let top = 0; top < document.documentElement.scrollHeight; top += 300) {
        scrollTo({ top, behavior: 'instant' });
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        for (const button of document.querySelectorAll<HTMLElement>('.bottom-bar a')) {
          if (!button.checkVisibility({ visibilityProperty: true })) continue;
          seen += 1;
          const { left, right, top: y, bottom } = button.getBoundingClientRect();
          const at = document.elementFromPoint((left + right) / 2, (y + bottom) / 2);
          if (y < innerHeight && !button.contains(at)) found.push(`${top}: ${at?.outerHTML.slice(0, 80)}`);
        }
      }
      return { found, seen };
    });
    expect.soft(covered.found, path).toEqual([]);
    seen += covered.seen;
  }
  expect(seen).toBeGreaterThan(0);
});
