// No view, form or menu of the admin page has an accessibility violation or scrolls sideways.
import { totp } from '../../tests/auth/support/totp.mjs';
import { createAdmin, emailLink, password, signOut, uniqueEmail } from '../account/account-helpers';
import { createMessage, createQuote, openDeskWithQuote, spam, uniqueLocation } from '../desk-helpers';
import { admin, expect, expectDashboard, signIn, test } from '../fixtures';
import { checkLayout } from '../layout-checks';

/** The views of the dashboard with content, in parts, so that several workers share them. */
const layouts = [
  ['/admin', '/admin?quote=:quote', '/admin?q=nothingofthekind', '/admin?view=attention'],
  [
    '/admin?view=messages&request=:message',
    '/admin?view=messages&service=fire-watch&state=TX&assignee=me&overdue=true',
    '/admin?view=everything',
    '/admin?view=held&request=:held',
  ],
  ['/admin/account', '/admin/users', '/admin/on-call', '/admin/figures?period=week'],
];

for (const [part, addresses] of layouts.entries()) {
  test(`no view of the dashboard has an accessibility violation or scrolls sideways (part ${part + 1})`, async ({
    page,
    request,
  }) => {
    test.setTimeout(300_000);
    const ids = {
      ':quote': await createQuote(request, uniqueLocation()),
      ':message': await createMessage(request, 'The gate is stuck open.'),
      ':held': await createQuote(request, uniqueLocation(), spam),
    };
    await signIn(page);
    await expectDashboard(page);
    for (const address of addresses) {
      await page.goto(Object.entries(ids).reduce((path, [name, id]) => path.replace(name, id), address));
      await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
      await expect(page.getByText('Loading')).toHaveCount(0);
      await checkLayout(page, address);
    }
  });
}

test('no form and no menu of the dashboard has an accessibility violation', async ({ page, request }) => {
  test.setTimeout(300_000);
  await request.post('/api/taps', { data: { page: '/contact' } });
  await page.goto('/admin?view=forgotten');
  await expect(page.getByLabel('Email')).toBeVisible();
  await checkLayout(page, 'forgotten');
  await openDeskWithQuote(page, request);
  await page.keyboard.press('j');
  for (const [key, label] of [
    ['e', 'Text'],
    ['l', 'Reached'],
    ['n', 'Note'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('complementary').getByLabel(label, { exact: true })).toBeFocused();
    await checkLayout(page, label);
    await page.keyboard.press('Escape');
  }
  await page.goto('/admin');
  await page.locator('details.call-clicks > summary').click();
  await checkLayout(page, 'taps');
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
