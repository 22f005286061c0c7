// Content changes by the office: draft, preview, publish, return to an earlier version; the longest
// texts.
import { recordChanges, recordedChanges } from '../document-changes';
import { expect, test } from '../fixtures';
import { checkLayout, clippedText, overflowWidth } from '../layout-checks';
import { openEditor } from './site-helpers';

test.describe.configure({ mode: 'serial' });

test('a question is changed, previewed, published, shown without hydration changes, and taken back', async ({
  page,
  context,
}) => {
  await openEditor(page);
  await page.getByText('To do before the site is public').click();
  await expect(page.getByText('Testimonials: 6 samples are left.')).toBeVisible();
  await page.getByRole('link', { name: 'Questions', exact: true }).click();
  await page.getByText('Are you licensed and insured?').click();
  const question = page.getByLabel('Question', { exact: true });
  await question.fill('');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('This is empty.')).toBeVisible();
  await question.fill('Are you "licensed" <now>?');
  await expect(page.getByText('25 of 90')).toBeVisible();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('link', { name: 'Questions (draft)' })).toBeVisible();

  const preview = page.frameLocator('iframe[title="The page with the drafts"]');
  // The preview renders every page.
  await expect(preview.getByText('Are you "licensed" <now>?')).toHaveCount(1);
  await page.getByLabel('Preview of').selectOption('Ohio');
  await expect(preview.getByRole('heading', { level: 1 })).toContainText('Ohio');

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(page.getByText('Published. Every page shows it now.')).toBeVisible();
  const visitor = await context.newPage();
  await recordChanges(visitor);
  await visitor.goto('/');
  await visitor.waitForFunction(() => history.scrollRestoration === 'manual');
  await expect(visitor.getByText('Are you "licensed" <now>?')).toHaveCount(1);
  expect(await recordedChanges(visitor)).toEqual([]);
  await visitor
    .locator('a[href="/about"]')
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await visitor.waitForURL('/about');
  await visitor.goBack();
  await expect(visitor.getByText('Are you "licensed" <now>?')).toHaveCount(1);
  await visitor.close();

  await page.getByRole('button', { name: 'Go back to the site as shipped' }).click();
  await page.getByRole('button', { name: 'Really go back to the site as shipped' }).click();
  await expect(page.getByText('The site is as shipped again.')).toBeVisible();
  await page.goto('/');
  await expect(page.getByText('Are you licensed and insured?')).toHaveCount(1);
});

test('what is to be done before the site is public leads to its field', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openEditor(page);
  const preview = page.locator('iframe[title="The page with the drafts"]');
  const topOfTestimonials = (frame: HTMLIFrameElement) =>
    frame.contentDocument?.getElementById('testimonials')?.getBoundingClientRect().top;
  await page.getByText('To do before the site is public').click();
  for (const [line, section, field] of [
    [/^Company facts: still those/, 'Company facts', page.getByLabel('Phone', { exact: true })],
    [/^Testimonials: 6 samples/, 'Testimonials', page.getByLabel('This is a sample').first()],
    [/^Claims to confirm:/, 'Claims to confirm', page.getByRole('checkbox').first()],
    [/^States: the figures of/, 'States', page.getByRole('checkbox').first()],
  ] as const) {
    await page.getByRole('listitem').filter({ hasText: line }).getByRole('link').click();
    await expect(page.getByRole('heading', { name: section, exact: true })).toBeVisible();
    await expect(field).toBeFocused();
    // The preview scrolls to what the section shows, and leaves the form where it is.
    if (section === 'Testimonials')
      await expect.poll(() => preview.evaluate(topOfTestimonials)).toBeCloseTo(96, -1);
    await expect(field).toBeInViewport();
  }
});

test('any version of the history is published again', async ({ page }) => {
  const api = await openEditor(page);
  const { sections, version } = await api.content();
  const faqs = sections.find(({ key }) => key === 'faqs')?.value as { question: string }[];
  for (const question of ['First wording?', 'Second wording?'])
    await api.publish({ faqs: [{ ...faqs[0], question }, ...faqs.slice(1)] });
  await page.reload();
  const first = version + 1;
  const goBack = (name: string) => page.getByRole('button', { name, exact: true });
  await goBack(`Go back to version ${first}`).click();
  await goBack(`Really go back to version ${first}`).click();
  await expect(page.getByText(`Version ${first} is published again.`)).toBeVisible();
  const visitor = await page.context().newPage();
  await visitor.goto('/');
  await expect(visitor.getByText('First wording?')).toHaveCount(1);
  await visitor.close();
  await api.publish({ faqs });
});

test('a sample becomes a real entry by taking its mark off', async ({ page }) => {
  const api = await openEditor(page);
  const { sections } = await api.content();
  const shipped = sections.find(({ key }) => key === 'testimonials')?.value;
  await page.getByRole('link', { name: 'Testimonials', exact: true }).click();
  await page.getByText('Dana Whitlock', { exact: true }).click();
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toBeDisabled();
  await page.getByLabel('This is a sample').uncheck();
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('This is that of a sample; write your own.')).toHaveCount(3);
  await name.fill('Ann Lee');
  await page.getByLabel('Company', { exact: true }).fill('Lee Lofts');
  await page.getByLabel('Quote', { exact: true }).fill('They came the same night.');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('link', { name: 'Testimonials (draft)' })).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(page.getByText('Published. Every page shows it now.')).toBeVisible();
  await page.goto('/');
  const real = page.locator('#testimonials figure', { hasText: 'Ann Lee' });
  await expect(real).toHaveCount(1);
  await api.publish({ testimonials: shipped });
});

test('a picture is uploaded and takes the place of its drawing without a shift or hydration changes', async ({
  page,
}) => {
  const api = await openEditor(page);
  await page.getByRole('link', { name: 'Pictures', exact: true }).click();
  await page.getByRole('button', { name: 'Add picture' }).click();
  await page.getByLabel('In place of').selectOption('fire-watch');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('This needs a picture.')).toBeVisible();
  const file = page.getByLabel('Picture', { exact: true });
  await file.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('none') });
  await expect(page.getByText('This file cannot be read as a picture.')).toBeVisible();
  // Nothing is published with a file that was refused.
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('A picture in “Pictures” was refused.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish now' })).toHaveCount(0);
  const drawn = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3000, height: 2000 });
    const brush = canvas.getContext('2d');
    brush?.fillRect(0, 0, 1500, 2000);
    return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
  });
  await file.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: Buffer.from(drawn, 'base64') });
  await expect(page.locator('.site-picture')).toBeVisible();
  await page.getByLabel('What it shows').fill('A guard on the third floor');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByRole('link', { name: 'Pictures (draft)' })).toBeVisible();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(page.getByText('Published. Every page shows it now.')).toBeVisible();

  await recordChanges(page);
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { shift: (entry as unknown as { value: number }).value });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/fire-watch');
  const picture = page.getByRole('img', { name: 'A guard on the third floor' });
  await expect(picture).toBeVisible();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([1280, 800]);
  expect(await recordedChanges(page)).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
  await api.publish({ pictures: [] });
});

test('a small square portrait is enough for the place where it is shown', async ({ page }) => {
  await openEditor(page);
  await page.getByRole('link', { name: 'Testimonials', exact: true }).click();
  await page.getByRole('button', { name: 'Add testimonial' }).click();
  const file = page.getByLabel('Photo (shown if the portrait is a photo)');
  const square = async (side: number) => {
    const png = await page.evaluate((side) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
      canvas.getContext('2d')?.fillRect(0, 0, side, side / 2);
      return canvas.toDataURL('image/png').slice('data:image/png;base64,'.length);
    }, side);
    const buffer = Buffer.from(png, 'base64');
    await file.setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer });
  };
  await square(100);
  await expect(page.getByText('at least 112 by 112 pixels; this one has 100 by 100')).toBeVisible();
  await page.getByRole('button', { name: 'Go on without it' }).click();
  await expect(page.getByText('this one has 100 by 100')).toHaveCount(0);
  await square(480);
  await expect(page.getByRole('button', { name: 'Use this part' })).toBeEnabled();
  await expect(page.locator('.field-error:visible')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove photo' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText('As published.')).toBeVisible();
});

test('the editor has no overflow and no violation', async ({ page }) => {
  await openEditor(page);
  await checkLayout(page, 'the editor');
});

test('the longest allowed texts keep the layout at 320', async ({ page }) => {
  const api = await openEditor(page);
  const long = (max: number) =>
    'Incomprehensibilities '
      .repeat(30)
      .slice(0, max - 1)
      .trim()
      .padEnd(max, 'e');
  const { sections } = await api.content();
  const company = sections.find(({ key }) => key === 'company')?.value as {
    hero: object;
    stats: object[];
    mission: object;
  };
  const clients = sections.find(({ key }) => key === 'clients')?.value;
  try {
    await api.publish({
      company: {
        ...company,
        hero: { heading: long(70), lead: long(260) },
        stats: company.stats.map(() => ({ value: '1,000,00', label: long(30) })),
        mission: { ...company.mission, heading: long(60), kicker: long(24) },
      },
      clients: [
        { sample: false, name: long(48), category: long(28), location: long(28), state: 'north-carolina' },
      ],
    });
    for (const path of ['/', '/about']) {
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(path);
      expect(await overflowWidth(page), path).toBeLessThanOrEqual(0);
      expect(await clippedText(page), path).toEqual([]);
    }
  } finally {
    await api.publish({ company, clients });
  }
});
