// The ways into an account beside its password, and what its owner may do with it: mails' links, a
// second factor, sessions.
import type { Page } from '@playwright/test';
import { start } from '../scripts/test-server.mjs';
import { stepNow, totp } from '../tests/auth/support/totp.mjs';
import { admin, expect, expectDashboard, signIn, type TestServer, test } from './fixtures';
import { checkLayout } from './layout-checks';

const password = 'a lantern for gate forty';

let people = 0;
function uniqueEmail(): string {
  people += 1;
  return `somebody-${process.pid}-${people}@guardpost.example`;
}

/** Makes an admin with a known password. */
function createAdmin(server: TestServer): string {
  const email = uniqueEmail();
  server.command(['create-admin', '--email', email, '--password-stdin'], `${password}\n`);
  return email;
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL('/');
}

/** Signs in as the first admin and opens the list of people. */
async function openUsers(page: Page) {
  await signIn(page);
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Users' }).click();
}

/** Somebody's line in the list of people. */
const userRow = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });

/** The link in the newest mail to an address, of a type. */
async function emailLink(server: TestServer, email: string, type: string): Promise<string> {
  const links = () =>
    server
      .emails()
      .filter((mail) => new RegExp(`^To: .*${email}`, 'm').test(mail))
      .map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
      .map((mail) => /https?:\/\/[^\s"<]+\/auth\/v1\/verify\?[^\s"<]+/.exec(mail)?.[0] ?? '')
      .filter((link) => link.includes(`type=${type}`));
  await expect.poll(() => links().length, { timeout: 15_000 }).toBeGreaterThan(0);
  return new URL((links().at(-1) ?? '').replaceAll('&amp;', '&')).href;
}

/** Opens a mail's link and presses its button. */
async function confirmLink(page: Page, server: TestServer, link: string) {
  const { pathname, search } = new URL(link);
  await page.goto(`${server.url}${pathname}${search}`);
  await page.getByRole('button').first().click();
}

test('an invitation asks for a password and works once', async ({ page, server }) => {
  const email = uniqueEmail();
  await openUsers(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect(userRow(page, email)).toBeVisible();
  await signOut(page);
  const link = await emailLink(server, email, 'invite');
  await confirmLink(page, server, link);
  await expect(page.getByRole('heading', { name: 'Welcome. Choose your password' })).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
  await page.getByLabel('New password').fill('password');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expect(page.getByText(/easy to guess/)).toBeVisible();
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expectDashboard(page);
  await signOut(page);
  await confirmLink(page, server, link);
  await expect(page.getByText('This link has been used or has expired.')).toBeVisible();
  await signIn(page, { email, password });
  await expectDashboard(page);
});

test('a forgotten password is replaced by an emailed link', async ({ page, server }) => {
  const email = createAdmin(server);
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('heading', { name: 'Look in your mail' })).toBeFocused();
  await confirmLink(page, server, await emailLink(server, email, 'recovery'));
  await page.getByLabel('New password').fill('quite another lantern');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expectDashboard(page);
  await signOut(page);
  await signIn(page, { email, password: 'quite another lantern' });
  await expectDashboard(page);
});

test('the code of a recovery email works on another device', async ({ page, server }) => {
  const email = createAdmin(server);
  await page.goto('/admin?view=forgotten');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await emailLink(server, email, 'recovery');
  const source = server.emails().findLast((mail) => new RegExp(`^To: .*${email}`, 'm').test(mail)) ?? '';
  const code = /^[0-9]{6}(?=\r?$)/m.exec(source)?.[0] ?? '';
  await page.getByLabel('Six-digit code').fill(code === '000000' ? '000001' : '000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Token has expired or is invalid')).toBeVisible();
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('New password').fill('quite another lantern');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expectDashboard(page);
});

test('a second factor is set up, asked for, replaced by a recovery code, and removed', async ({
  page,
  server,
}) => {
  test.setTimeout(60_000);
  const email = createAdmin(server);
  await signIn(page, { email, password });
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const drawn = page.getByAltText('QR code that holds the secret below');
  expect(
    await drawn.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0);
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Six-digit code').fill(totp(secret));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByRole('heading', { name: 'Keep these recovery codes' })).toBeVisible();
  const [recovery = ''] = await page.locator('.codes li').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await signOut(page);

  await signIn(page, { email, password });
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await page.getByLabel('Six-digit code').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Invalid TOTP code entered')).toBeVisible();
  await page.getByLabel('Six-digit code').fill(totp(secret, stepNow() + 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectDashboard(page);
  await signOut(page);

  await signIn(page, { email, password });
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('Second factor removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up a second factor' })).toBeVisible();
});

test('a second factor is set up after any number of abandoned enrollments', async ({ page, server }) => {
  test.setTimeout(60_000);
  const email = createAdmin(server);
  await signIn(page, { email, password });
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  const begin = async () => {
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    await expect(page.locator('.secret')).toBeVisible();
  };
  for (let starts = 0; starts < 11; starts += 1) {
    await begin();
    await page.reload();
  }
  await begin();
  // The same screen in another tab takes this one's place: the first begins anew.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Set up a second factor' }).click();
  await expect(other.locator('.secret')).toBeVisible();
  await other.close({ runBeforeUnload: false });
  const shown = async () => ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  const stale = await shown();
  await page.getByLabel('Six-digit code').fill(totp(stale));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByText('That code has expired')).toBeVisible();
  await expect.poll(shown).not.toBe(stale);
  await page.getByLabel('Six-digit code').fill(totp(await shown()));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByRole('heading', { name: 'Keep these recovery codes' })).toBeVisible();
});

test('password and email are changed, each with its own confirmation', async ({ page, server }) => {
  const email = createAdmin(server);
  const next = uniqueEmail();
  await signIn(page, { email, password });
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByLabel('New password').fill('quite another lantern');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await page.getByLabel('New email').fill(next);
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByText(`${next} takes the place of ${email}`)).toBeVisible();
  await confirmLink(page, server, await emailLink(server, next, 'email_change'));
  await expect(page.getByText(/confirm link sent to the other email/)).toBeVisible();
  await confirmLink(page, server, await emailLink(server, email, 'email_change'));
  await expect(page.getByText('Your email address is changed.')).toBeVisible();
  await signOut(page);
  await signIn(page, { email: next, password: 'quite another lantern' });
  await expectDashboard(page);
});

test('a suspended user is signed out at once and can sign in after reinstatement', async ({
  page,
  browser,
  server,
}) => {
  const email = createAdmin(server);
  const theirs = await browser.newPage({ baseURL: server.url });
  await signIn(theirs, { email, password });
  await expectDashboard(theirs);
  await openUsers(page);
  const person = userRow(page, email);
  await person.getByRole('button', { name: 'Suspend' }).click();
  await person.getByRole('button', { name: 'Really suspend' }).click();
  await expect(person.getByText('Suspended')).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByLabel('Password')).toBeVisible();
  await person.getByRole('button', { name: 'Reinstate' }).click();
  await expect(person.getByText('Last signed in')).toBeVisible();
  await signIn(theirs, { email, password });
  await expectDashboard(theirs);
  await theirs.close();
});

test('the user list shows roles, which can be granted and revoked, except the last admin’s', async ({
  page,
  browser,
  server,
}) => {
  const email = createAdmin(server);
  const theirs = await browser.newPage({ baseURL: server.url });
  await signIn(theirs, { email, password });
  await expectDashboard(theirs);
  await openUsers(page);
  const person = userRow(page, email);
  await expect(person.locator('.role')).toHaveText('Admin');
  await person.getByRole('button', { name: 'Remove admin access' }).click();
  await person.getByRole('button', { name: 'Really remove admin access' }).click();
  await expect(person.locator('.role')).toHaveText('No role');
  await theirs.reload();
  await expect(theirs.getByText('Access Denied')).toBeVisible();
  await person.getByRole('button', { name: 'Make admin' }).click();
  await expect(person.locator('.role')).toHaveText('Admin');
  await theirs.reload();
  await expectDashboard(theirs);
  const own = page.getByRole('listitem').filter({ hasText: 'You' });
  await expect(own.getByRole('button')).toHaveCount(0);
  await theirs.close();
});

test('a user who has not accepted an invitation is invited again', async ({ page, server }) => {
  const email = uniqueEmail();
  await openUsers(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  const person = userRow(page, email);
  await person.getByRole('button', { name: 'Invite again' }).click();
  await expect(page.getByText(`${email} gets a new link`)).toBeVisible();
  const emails = () => server.emails().filter((mail) => new RegExp(`^To: .*${email}`, 'm').test(mail));
  await expect.poll(() => emails().length, { timeout: 15_000 }).toBe(2);
});

test('with required factors, an admin without one sets it up before anything else', async ({ browser }) => {
  const strict = await start('debug', { ...process.env, GUARDPOST_AUTH__REQUIRE_FACTOR: 'true' });
  const context = await browser.newContext({ baseURL: strict.url });
  const page = await context.newPage();
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await checkLayout(page, 'a factor is demanded');
  await page.goto('/admin?view=users');
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Six-digit code').fill(totp(secret));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
  await context.close();
  await strict.stop();
});

test('no sign-in view has an accessibility violation or scrolls sideways', async ({
  page,
  request,
  server,
}) => {
  test.setTimeout(180_000);
  const email = createAdmin(server);
  await signIn(page, { email, password });
  await expectDashboard(page);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
  await checkLayout(page, 'setting up a factor');
  await page.getByLabel('Six-digit code').fill(totp(secret));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByRole('heading', { name: 'Keep these recovery codes' })).toBeVisible();
  await checkLayout(page, 'recovery codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await signOut(page);
  await signIn(page, { email, password });
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await checkLayout(page, 'second factor');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await checkLayout(page, 'recovery code');
  await signOut(page);
  const guest = uniqueEmail();
  const session = await request.post('/auth/v1/token?grant_type=password', { data: admin });
  const { access_token } = await session.json();
  const headers = { Authorization: `Bearer ${access_token}` };
  await request.post('/auth/v1/admin/invite', { headers, data: { email: guest, role: 'admin' } });
  const { pathname, search } = new URL(await emailLink(server, guest, 'invite'));
  await page.goto(pathname + search);
  await expect(page.getByRole('heading', { name: 'Accept the invitation' })).toBeVisible();
  await checkLayout(page, 'the page behind a link');
  await page.getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Welcome. Choose your password' })).toBeVisible();
  await checkLayout(page, 'invited');
});
