// The list of users: suspension, roles, invitations.

import { expect, expectDashboard, signIn, test } from '../fixtures';
import { createAdmin, openUsers, password, uniqueEmail, userRow } from './account-helpers';

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
  await person.getByText('Change').click();
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
  await person.getByText('Change').click();
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
  await person.getByText('Change').click();
  await person.getByRole('button', { name: 'Invite again' }).click();
  await expect(page.getByText(`${email} gets a new link`)).toBeVisible();
  const emails = () => server.emails().filter((mail) => new RegExp(`^To: .*${email}`, 'm').test(mail));
  await expect.poll(() => emails().length).toBe(2);
});
