// Customers' answers by email: the conversation of a request, and emails that belong to none.
import { createQuote, openDesk, reference, rowOf, startReply, uniqueLocation } from './desk-helpers';
import { expect, test } from './fixtures';

test('an answer by the pipe appears in the open panel with its quote folded, and the row says so', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place, { emergency_contact: false });
  await openDesk(page, place);
  const panel = await startReply(page);
  const subject = `Guards for ${place}`;
  await panel.getByLabel('Subject').fill(subject);
  await panel.getByLabel('Text').fill('When shall we start?');
  await panel.getByLabel('Copies to (optional)').fill('boss@property.example');
  await panel.getByRole('button', { name: 'Send reply' }).click();
  await server.waitForEmail(`Subject: ${subject}`);
  const sent = server.emails().find((mail) => mail.includes(`Subject: ${subject}`)) ?? '';
  expect(sent).toContain('Cc: boss@property.example');
  const id = /^Message-ID: (<.*>)/im.exec(sent)?.[1];
  server.command(
    ['receive'],
    `From: Marta <marta@property.example>\nTo: office@guardpost.example\nSubject: Re: ${subject}\nMessage-ID: <${place.replace(/\W/g, '')}@property.example>\nDate: Tue, 24 Nov 2026 12:00:00 -0800\nIn-Reply-To: ${id}\n\nTuesday at six, please.\n\nOn Tue, Nov 24, 2026 at 11:58 AM Guardpost <office@guardpost.example> wrote:\n> When shall we start?\n`,
  );
  const entry = panel.getByRole('listitem').filter({ hasText: 'Marta wrote' });
  await expect(entry).toContainText('Tuesday at six, please.');
  await expect(entry).toContainText('The sender is not verified');
  await expect(entry.getByText('> When shall we start?')).toBeHidden();
  await entry.getByText('Quoted text and signature').click();
  await expect(entry.getByText('> When shall we start?')).toBeVisible();
  await entry.getByRole('button', { name: 'Forward' }).click();
  await entry.getByLabel('To').fill('tech@guard.example');
  await entry.getByRole('button', { name: 'Forward', exact: true }).click();
  await server.waitForEmail(`Subject: Fwd: Re: ${subject}`);
  await expect(rowOf(page, place)).not.toContainText('New message');
});

test('an email without a request is attached to one, and its request is opened from there', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place, { emergency_contact: false });
  const subject = `A question from ${place}`;
  server.command(
    ['receive'],
    `From: Marta <marta@property.example>\nTo: office@guardpost.example\nSubject: ${subject}\nMessage-ID: <q${place.replace(/\W/g, '')}@property.example>\n\nDo you guard docks?\n`,
  );
  await openDesk(page, place);
  const code = reference.exec(await rowOf(page, place).innerText())?.[0] ?? '';
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^Unmatched/ })
    .click();
  const email = page.getByRole('listitem').filter({ hasText: subject });
  await expect(email).toContainText('Do you guard docks?');
  await email.getByLabel('Reference of the request').fill(code);
  await email.getByRole('button', { name: 'Attach' }).click();
  await expect(email).toBeHidden();
  await page.goto(`/admin?view=everything&request=${code}`);
  await expect(page.getByRole('complementary').getByText('Do you guard docks?')).toBeVisible();
});
