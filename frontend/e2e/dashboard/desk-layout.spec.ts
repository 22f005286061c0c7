// Where things are in the dashboard: the panel beside or over the list, what is in sight without
// scrolling, what fits into its line, and what is printed.
import type { Locator, Page } from '@playwright/test';
import { createQuote, openDesk, openDeskWithQuote, openFiles, rowOf, uniqueLocation } from '../desk-helpers';
import { expect, test } from '../fixtures';
import { boxOf, overflowWidth } from '../layout-checks';

/** How many lines the visible elements take: those of a line overlap in height. */
async function lines(elements: Locator): Promise<number> {
  const visible = await elements.locator('visible=true').all();
  const boxes = await Promise.all(visible.map(boxOf));
  let count = 0;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const box of boxes.sort((one, other) => one.y - other.y)) {
    if (box.y + box.height / 2 > bottom) count += 1;
    bottom = Math.max(bottom, box.bottom);
  }
  return count;
}

test('below 1200 px the open request takes the list’s place, above they stand side by side', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  const row = rowOf(page, place);
  const panel = page.getByRole('complementary');
  for (const width of [390, 1024, 1199]) {
    await page.setViewportSize({ width, height: 900 });
    await row.locator('.row-link').click();
    await expect(panel).toContainText('Panel is down');
    await expect(row).toBeHidden();
    expect(await overflowWidth(page)).toBeLessThanOrEqual(0);
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(row).toBeVisible();
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await row.locator('.row-link').click();
  await expect(panel).toContainText('Panel is down');
  expect((await boxOf(row)).right).toBeLessThanOrEqual((await boxOf(panel)).x);
});

test('beside an open request what burns stands whole beside the heading, in one line', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  // Counts of a bad day.
  await page.route('**/api/admin/inbox?limit=1&**', async (route) => {
    const body = await (await route.fetch()).json();
    const counts = { ...body.counts, pending: 16 };
    await route.fulfill({ json: { ...body, counts, next_cursor: 'more' } });
  });
  const place = await openDeskWithQuote(page, request);
  await rowOf(page, place).locator('.row-link').click();
  await expect(page.getByRole('complementary')).toContainText('Panel is down');
  const links = page.locator('.burning a');
  await expect(links).toHaveText(['16 emergencies open', '16 overdue']);
  expect(await lines(page.locator('.queue-top > :is(h1, p)'))).toBe(1);
  const heading = await boxOf(page.locator('.queue-top h1'));
  expect(heading.height).toBeLessThan(32);
  const cut = await page
    .locator('.burning')
    .evaluate((line) =>
      [line, ...line.children].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
    );
  expect(cut).toBe(false);
});

test('at 1440 by 900 the words of an emergency stand above the actions, without scrolling', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place, {
    emergency_contact: true,
    company: 'Bayou Lofts',
    description:
      'Panel is down on floors 3 to 9. The fire marshal wants a guard on each floor from tonight, with a log.',
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');
  const words = await boxOf(panel.locator('.panel-words').first());
  const foot = await boxOf(panel.locator('.panel-foot'));
  expect(words.bottom).toBeLessThanOrEqual(foot.y);
  expect(foot.bottom).toBeLessThanOrEqual(900);
  await expect(panel.getByRole('link', { name: '(713) 555-0188' })).toBeInViewport({ ratio: 1 });
  // Who, what, when, where and the promise take one head, with the facts beside the words.
  expect((await boxOf(panel.locator('.panel-head'))).height).toBeLessThanOrEqual(160);
  const facts = await boxOf(panel.locator('.panel-side'));
  expect(facts.x).toBeGreaterThanOrEqual(words.right);
  // In its row the order to call stands before the status, the number below who wants the call.
  const badge = await boxOf(rowOf(page, place).locator('.badge'));
  const number = await boxOf(rowOf(page, place).locator('.row-tel'));
  const order = await boxOf(rowOf(page, place).locator('.row-call'));
  const who = await boxOf(rowOf(page, place).locator('.row-who'));
  expect(Math.abs(order.y + order.height / 2 - badge.y - badge.height / 2)).toBeLessThanOrEqual(8);
  expect(order.right).toBeLessThanOrEqual(badge.x);
  expect(number.y).toBeGreaterThanOrEqual(who.bottom);
});

test('what can be done with a request takes two lines at its foot, whatever its status', async ({
  page,
  request,
}) => {
  const place = await openDeskWithQuote(page, request);
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');
  const foot = panel.locator('.panel-foot :is(button, summary)');
  const check = async (status: string) => {
    for (const width of [390, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await lines(foot), `${status} at ${width} px`).toBeLessThanOrEqual(2);
    }
  };
  await check('pending');
  await panel.getByRole('button', { name: 'Accept' }).click();
  await expect(panel.getByRole('button', { name: 'Complete' })).toBeVisible();
  await check('in progress');
  await panel.getByRole('button', { name: 'Complete' }).click();
  await expect(panel.getByRole('button', { name: 'Complete' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await check('completed');
});

/** The texts and icons of a row that touch those of another part of it. */
function touchingTexts(row: Locator): Promise<string[]> {
  return row.evaluate((element) => {
    type Drawn = { text: string; part: Element | null; box: DOMRect };
    const drawn: Drawn[] = [];
    const add = (text: string, parent: Element, { left, right, y, height }: DOMRect) => {
      // What is cut off by an ellipsis ends with its element.
      let edge = right;
      for (let at: Element = parent; at !== element; at = at.parentElement as Element) {
        const isCut = getComputedStyle(at).overflowX !== 'visible';
        if (isCut) edge = Math.min(edge, at.getBoundingClientRect().right);
      }
      const box = new DOMRect(left, y, edge - left, height);
      if (edge > left + 1) drawn.push({ text, part: parent.closest('.row > *, .row-link > *'), box });
    };
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      const parent = node.parentElement as Element;
      const text = node.textContent?.trim();
      if (!text || parent.closest('.visually-hidden, .row-start-label')) continue;
      // With a mouse the buttons of a row take the place of its value.
      if (!parent.checkVisibility({ opacityProperty: true })) continue;
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) add(text, parent, box);
    }
    for (const icon of element.querySelectorAll('.row-link svg'))
      add('icon', icon, icon.getBoundingClientRect());
    const gap = 3;
    const touch = ({ box: one }: Drawn, { box: other }: Drawn) =>
      one.right + gap > other.left &&
      other.right + gap > one.left &&
      one.bottom - 1 > other.top &&
      other.bottom - 1 > one.top;
    return drawn.flatMap((one, at) => {
      const others = drawn.slice(at + 1).filter((other) => other.part !== one.part && touch(one, other));
      return others.map((other) => `${one.text} | ${other.text}`);
    });
  });
}

// A list that is asked for again while the page closes has no answer to change.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

/** Changes what the list says of its requests. */
async function withRows(page: Page, changes: Record<string, unknown>[]) {
  await page.route('**/api/admin/inbox?**', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.requests = body.requests.map((row: object, at: number) => ({
      ...row,
      ...changes[at % changes.length],
    }));
    await route.fulfill({ response: answer, json: body });
  });
}

test('no mark of a row touches its neighbor, at any width', async ({ page, request }) => {
  const place = uniqueLocation();
  const word = place.split(',')[0];
  for (let at = 0; at < 4; at += 1)
    await createQuote(request, `${word}, TX`, { service_type: 'construction-security' });
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const waits = { emergency_contact: true, awaits_call: true, answered_at: null };
  await withRows(page, [
    { ...waits, due_at: ago(1.5), unread: true },
    { ...waits, due_at: ago(59.5), emailed_at: ago(30), asked_before: true },
    {
      emergency_contact: false,
      due_at: ago(23 * 60 + 59),
      unread: true,
      asked_before: true,
      status: 'in_progress',
      offer: { state: 'accepted', total_cents: 3_832_500, is_weekly: false, is_unconfirmed: true },
    },
    {
      emergency_contact: false,
      due_at: ago(3),
      follow_up: { at: ago(2), due: true, by: { id: 'x', email: 'kim@guardpost.example' } },
      assignee: { id: 'x', email: 'a-long-name-of-a-colleague@guardpost.example' },
      offer: { state: 'sent', total_cents: 1_234_567, is_weekly: true },
    },
  ]);
  await openDesk(page, place);
  await expect(page.locator('.row')).toHaveCount(4);
  await expect(page.locator('.row').getByText('Message waits')).toHaveCount(2);
  for (const width of [390, 768, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const row of await page.locator('.row').all())
      expect.soft(await touchingTexts(row), `${width} px`).toEqual([]);
  }
});

test('the undo of a row lies over nothing beside it, and places are read whole beside an open request', async ({
  page,
  request,
}) => {
  const place = `${uniqueLocation()}, 2400 Navigation Boulevard`;
  await createQuote(request, place, { service_type: 'construction-security', start_date: '2099-12-30' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openDesk(page, place);
  const row = rowOf(page, place);
  await row.locator('.row-link').focus();
  await page.keyboard.press('m');
  await expect(row.getByRole('button', { name: 'Undo' })).toBeVisible();
  const check = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    const status = await boxOf(row.locator('.row-status'));
    const undo = await boxOf(row.getByRole('button', { name: 'Undo' }));
    expect.soft(undo.x >= status.right || undo.y >= status.bottom, `${width} px`).toBe(true);
  };
  for (const width of [1024, 1280, 1440, 1920]) await check(width);
  // Beside the list it is among the other buttons of the request, and only there.
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary');
  await expect(panel.locator('.row-actions').getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect(row.getByRole('button', { name: 'Undo' })).toBeHidden();
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const part of ['.row-service', '.row-place', '.row-start']) {
      const cut = await row.locator(part).evaluate((of) => of.scrollWidth > of.clientWidth);
      expect.soft(cut, `${part} at ${width} px`).toBe(false);
    }
  }
});

test('the labels of a call stay in one line each, and a long address keeps the reply form inside', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const email = `${'a-long-mailbox-name-'.repeat(2)}x@${'subdomain-of-it.'.repeat(2)}example`;
  await createQuote(request, place, { email });
  await openDesk(page, place);
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await panel.getByRole('button', { name: 'Log a call' }).click();
    for (const label of ['Reached', 'Voicemail', 'No answer']) {
      const of = panel.locator('.choices label').filter({ hasText: label });
      expect((await boxOf(of)).height, label).toBeLessThan(46);
    }
    await panel.getByRole('button', { name: 'Reply', exact: true }).click();
    await expect(panel.getByLabel('Subject')).toBeVisible();
    const inside = await boxOf(panel);
    for (const field of await panel
      .locator('.composer :is(input, select, textarea, p)')
      .locator('visible=true')
      .all())
      expect((await boxOf(field)).right).toBeLessThanOrEqual(inside.right);
    expect(await overflowWidth(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
  }
});

test('a printed list has no line over another, and a printed request no control', async ({
  page,
  request,
}) => {
  const place = uniqueLocation();
  const word = place.split(',')[0];
  for (const state of ['TX', 'LA', 'OK']) await createQuote(request, `${word}, ${state}`);
  await openDesk(page, place);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 720, height: 1000 });
  const rows = await page.locator('.row').all();
  for (const row of rows) expect(await touchingTexts(row)).toEqual([]);
  const controls = page.locator('button:not(.reference), input, select, textarea, summary');
  await expect(controls.locator('visible=true')).toHaveCount(0);
  const boxes = await Promise.all(rows.map(boxOf));
  for (const [at, box] of boxes.slice(1).entries())
    expect(box.y).toBeGreaterThanOrEqual(boxes[at]?.bottom ?? 0);

  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1280, height: 1000 });
  await rowOf(page, place).first().locator('.row-link').click();
  const panel = page.getByRole('complementary');
  await openFiles(page);
  await expect(panel.getByLabel('Add files')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Make an offer' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(controls.locator('visible=true')).toHaveCount(0);
});
