// Links and codes in emails: an invitation, a forgotten password, a changed address.

import { expect, expectDashboard, signIn, test } from '../fixtures';
import {
  confirmLink,
  createAdmin,
  emailLink,
  openUsers,
  password,
  signOut,
  uniqueEmail,
  userRow,
} from './account-helpers';

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
  await expect(page.getByText('This code is wrong, or it was used, or it has expired.')).toBeVisible();
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('New password').fill('quite another lantern');
  await page.getByRole('button', { name: 'Save the password' }).click();
  await expectDashboard(page);
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
