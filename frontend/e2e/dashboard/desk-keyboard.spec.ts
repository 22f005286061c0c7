// A whole walk through the desk without a mouse: after each action the focus is where the next key
// is expected.
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { stepNow, totp } from '../../tests/auth/support/totp.mjs';
import { createQuote, uniqueLocation } from '../desk-helpers';
import { expect, expectDashboard, type TestServer, test } from '../fixtures';

const password = 'a lantern for gate forty';

/** An admin with a second factor, whose name no other test uses. */
async function withSecondFactor(server: TestServer, request: APIRequestContext, name: string) {
  const email = `${name}@guardpost.example`;
  server.command(['create-admin', '--email', email, '--password-stdin'], `${password}\n`);
  const call = async (path: string, data: object, token = '') => {
    const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
    const answer = await request.post(`/auth/v1/${path}`, { data, headers });
    expect(answer.ok(), path).toBe(true);
    return answer.json();
  };
  const { access_token } = await call('token?grant_type=password', { email, password });
  const factor = await call('factors', { factor_type: 'totp', friendly_name: 'phone' }, access_token);
  const { id } = await call(`factors/${factor.id}/challenge`, {}, access_token);
  const step = stepNow();
  const code = totp(factor.totp.secret, step);
  await call(`factors/${factor.id}/verify`, { challenge_id: id, code }, access_token);
  return { email, nextCode: totp(factor.totp.secret, step + 1) };
}

/** Presses Tab, or Shift+Tab, until the control has the focus. */
async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let at = 0; at < 30; at += 1) {
    if (await control.evaluate((of) => of === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(control).toBeFocused();
}

test('a shift is worked by keys alone, and the focus is where the next key is expected', async ({
  page,
  request,
  server,
}) => {
  test.slow();
  const place = uniqueLocation();
  const word = place.split(',')[0] ?? '';
  await createQuote(request, uniqueLocation());
  for (const state of ['TX', 'LA', 'OK']) await createQuote(request, `${word}, ${state}`);
  const { email, nextCode } = await withSecondFactor(server, request, word.toLowerCase());
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const type = (text: string) => page.keyboard.type(text);
  const panel = page.getByRole('complementary');
  const heading = panel.getByRole('heading', { level: 2, name: 'Marta Núñez' });
  const link = page.locator('.row-link');
  const toast = page.locator('.toast').last();

  await test.step('sign in: the first field has the focus, and six digits send themselves', async () => {
    await page.goto(`/admin?q=${word}`);
    await expect(page.getByLabel('Email')).toBeFocused();
    await type(email);
    await press('Tab');
    await type(password);
    await press('Enter');
    await expect(page.getByLabel('Six-digit code')).toBeFocused();
    await type(nextCode);
    await expectDashboard(page);
    await expect(link).toHaveCount(3);
  });

  await test.step('walk, open and take a request', async () => {
    await press('j');
    await expect(link.first()).toBeFocused();
    await press('j');
    await expect(link.nth(1)).toBeFocused();
    await press('k');
    await expect(link.first()).toBeFocused();
    await press('Enter');
    await expect(heading).toBeFocused();
    await press('m');
    await expect(panel).toContainText('Assigned to you');
    await expect(heading).toBeFocused();
    const handOver = panel.getByLabel('Hand over');
    await tabTo(page, handOver);
    await type('disp');
    await expect(handOver.locator('option:checked')).toContainText('dispatch');
    await press('Escape');
    await expect(heading).toBeFocused();
    await expect(panel).toContainText('Assigned to you');
    await tabTo(page, handOver);
    await type('disp');
    await press('Enter');
    await expect(panel).toContainText('Assigned to dispatch');
    await expect(handOver).toBeFocused();
    await press('Escape');
    await expect(heading).toBeFocused();
  });

  await test.step('choose a template by typing, reply and undo', async () => {
    await press('e');
    const template = panel.getByRole('button', { name: 'Templates', exact: true });
    const text = panel.getByLabel('Text', { exact: true });
    await expect(text).toBeFocused();
    // It is there once the templates are.
    await expect(template).toBeVisible();
    await press('/');
    const templates = page.getByRole('dialog', { name: 'Insert a template' });
    await press('ArrowDown');
    await expect(templates.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
    await press('Enter');
    await expect(text).toBeFocused();
    await expect(text).toHaveValue(/^Hello Marta,/);
    await tabTo(page, panel.getByLabel('Copies to (optional)'), 'Shift+Tab');
    await press('Escape');
    await expect(heading).toBeFocused();
    await expect(text).toHaveCount(0);
    await press('e');
    await expect(text).toBeFocused();
    await expect(text).toHaveValue(/^Hello Marta,/);
    await type('By keys: ');
    await press('Control+Enter');
    await expect(toast).toContainText('Reply sent');
    await expect(heading).toBeFocused();
    await press('z');
    await expect(toast).toContainText('is not sent');
    await expect(heading).toBeFocused();
    await press('Escape');
    await expect(link.first()).toBeFocused();
  });

  await test.step('search, and let go of it', async () => {
    const search = page.getByLabel('Search requests');
    await press('/');
    await expect(search).toBeFocused();
    await type(`${word} nothing`);
    await expect(page.getByText('No quote requests found.')).toBeVisible();
    await press('Escape');
    await expect(search).toHaveValue('');
    await expect(search).toBeFocused();
    await type(word);
    await expect(link).toHaveCount(3);
    await press('Escape');
    await expect(search).toHaveValue('');
    await expect(link.nth(3)).toBeVisible();
    await press('Escape');
    await expect(link.first()).toBeFocused();
    await press('/');
    await type(word);
    await expect(page).toHaveURL(new RegExp(`q=${word}$`));
    await expect(link).toHaveCount(3);
    await press('Enter');
    await expect(link.first()).toBeFocused();
  });

  await test.step('filter, and take the filter away', async () => {
    const filters = page.locator('summary').filter({ hasText: /^Filters/ });
    await tabTo(page, filters, 'Shift+Tab');
    await press('Enter');
    const service = page.getByLabel('Service', { exact: true });
    await tabTo(page, service);
    await type('Fire');
    await expect(page).toHaveURL(/service=fire-watch/);
    await expect(service).toBeFocused();
    await press('Escape');
    await expect(filters).toBeFocused();
    await expect(service).toBeHidden();
    await press('j');
    await expect(link.first()).toBeFocused();
    await press('Escape');
    await expect(page).toHaveURL(new RegExp(`q=${word}$`));
    await expect(link.first()).toBeFocused();
  });

  await test.step('select two, reject them, and undo', async () => {
    await press('x', 'j', 'x');
    await expect(page.getByText('2 selected')).toBeVisible();
    await expect(link.nth(1)).toBeFocused();
    await press('r');
    await expect(page.getByText('Press r again')).toBeVisible();
    await press('r');
    await expect(page.getByText('2 selected')).toHaveCount(0);
    await expect(page.locator('.row .badge', { hasText: 'cancelled' })).toHaveCount(2);
    await expect(link.nth(1)).toBeFocused();
    await press('z');
    await expect(page.locator('.row .badge', { hasText: 'pending' })).toHaveCount(3);
    await expect(link.nth(1)).toBeFocused();
  });

  await test.step('take a call, and read the help', async () => {
    await press('p');
    const phone = page.getByRole('form', { name: 'Request by phone' }).getByLabel('Phone number');
    await expect(phone).toBeFocused();
    await type('713 555 0199');
    await press('Escape');
    await expect(phone).toHaveCount(0);
    await expect(link.nth(1)).toBeFocused();
    await press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await expect(help).toBeVisible();
    await expect(help.getByRole('heading', { name: 'Keys' }), 'its top').toBeFocused();
    await press('Escape');
    await expect(help).toHaveCount(0);
    await expect(link.nth(1)).toBeFocused();
  });
});
