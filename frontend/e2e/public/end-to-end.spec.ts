// End to end: a visitor requests a quote, staff get the email, an admin triages, an operator
// exports.
import { expect, fillQuote, signIn, test } from '../fixtures';

test('a quote goes from the form to the email, the dashboard and the export', async ({ page, server }) => {
  const location = `Katy, TX ${Date.now()}`;
  await page.goto('/quote');
  await fillQuote(page, { location });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Quote Request Submitted Successfully!')).toBeVisible();

  const mail = await server.waitForEmail(location);
  expect(mail).toContain('marta@property.example');

  await signIn(page);
  await expect(page.getByText('Successfully signed in to admin panel.')).toBeVisible();
  const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: location }).first();
  await row.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Quote status changed to in_progress.')).toBeVisible();
  await expect(row.getByText('in progress')).toBeVisible();

  const exported = server.command(['export-quotes', '--format', 'jsonl', '--status', 'in_progress']);
  expect(exported).toContain(location);
});
