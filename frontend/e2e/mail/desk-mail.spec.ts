// Customers' answers by email: the conversation of a request, and emails that belong to none.
import {
  createQuote,
  openDesk,
  openDeskWithQuote,
  reference,
  rowOf,
  startReply,
  uniqueLocation,
} from '../desk-helpers';
import { expect, type TestServer, test } from '../fixtures';

test('an answer by the pipe appears in the open panel with its quote folded, and the row says so', async ({
  page,
  request,
  server,
}) => {
  const place = await openDeskWithQuote(page, request, { emergency_contact: false });
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
  await entry.getByText('Earlier messages and signature').click();
  await expect(entry.getByText('> When shall we start?')).toBeVisible();
  await entry.getByRole('button', { name: 'Forward' }).click();
  // The field has the focus: otherwise the letters would accept the request.
  await expect(entry.getByLabel('To')).toBeFocused();
  await page.keyboard.type('tech@guard.example');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('heading', { level: 2 })).toBeFocused();
  await server.waitForEmail(`Subject: Fwd: Re: ${subject}`);
  const row = rowOf(page, place);
  await expect(row.locator('.badge')).toHaveText('pending');
  await expect(row, 'being read is no answer').toContainText('Message waits');
  const aside = panel.getByRole('button', { name: 'No answer needed' });
  await aside.press('Enter');
  await expect(row).not.toContainText('Message waits');
  await expect(aside).toHaveCount(0);
  await expect(panel.getByRole('listitem').filter({ hasText: 'no answer needed' })).toBeVisible();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(row).toContainText('Message waits');
  await expect(aside).toBeVisible();
});

/** Receives an email that answers none of ours. */
function unmatched(server: TestServer, subject: string, from: string, text: string) {
  server.command(
    ['receive'],
    `From: ${from}\nTo: office@guardpost.example\nSubject: ${subject}\nMessage-ID: <${subject.replace(/\W/g, '')}@property.example>\n\n${text}\n`,
  );
}

test('an email without a request is attached by its reference, or by one press to a request of its sender', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  const sender = `ana${place.replace(/\W/g, '')}@property.example`;
  await createQuote(request, place, { email: sender, emergency_contact: false });
  unmatched(server, `First from ${place}`, `Bob <bob@elsewhere.example>`, 'Do you guard docks?');
  unmatched(server, `Second from ${place}`, `Ana <${sender}>`, 'And the roof?');
  await openDesk(page, place);
  const code = reference.exec(await rowOf(page, place).innerText())?.[0] ?? '';
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: /^Unmatched/ }).click();
  await expect(views.getByRole('link', { name: /^Unmatched/ })).toHaveAttribute('aria-current', 'true');
  const email = (subject: string) => page.getByRole('listitem').filter({ hasText: subject });
  const first = email(`First from ${place}`);
  await expect(first).toContainText('Do you guard docks?');
  await expect(first.getByRole('button', { name: /^Attach to/ })).toHaveCount(0);
  await first.getByLabel('Reference of the request').fill('GP-2222222');
  await page.keyboard.press('Enter');
  await expect(page.locator('.toast')).toContainText('There is no request with this reference.');
  await first.getByLabel('Reference of the request').fill(code.toLowerCase());
  await page.keyboard.press('Enter');
  await expect(first).toBeHidden();

  const second = email(`Second from ${place}`);
  await second.getByRole('button', { name: `Attach to ${code}` }).press('Enter');
  await expect(second).toBeHidden();
  await page.locator('.toast').getByRole('link', { name: 'Open the request' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('region', { name: 'Not answered' })).toContainText('And the roof?');
  await panel.getByRole('button', { name: 'Show it in the history' }).press('Enter');
  const entry = panel.getByRole('listitem').filter({ hasText: 'And the roof?' });
  await expect(entry).toBeFocused();
  await expect(entry).toBeInViewport();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Do you guard docks?' })).toBeVisible();
});

test('a discarded email is taken back by one press, and becomes a request', async ({
  page,
  request,
  server,
}) => {
  const place = uniqueLocation();
  await createQuote(request, place, { emergency_contact: false });
  const subject = `Guards for a tower in ${place}`;
  unmatched(server, subject, 'Carla Diaz <carla@tower.example>', 'We need two guards from Monday.');
  await openDesk(page, place);
  await page.goto('/admin?view=unmatched');
  const email = page.getByRole('listitem').filter({ hasText: subject });
  await email.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(email).toBeHidden();
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(email).toBeVisible();
  await email.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Discarded' }).click();
  await email.getByRole('button', { name: 'Take back' }).click();
  await expect(email).toBeHidden();
  await page.getByRole('button', { name: 'From people' }).click();
  await email.getByRole('button', { name: 'Contact message' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'Carla Diaz' })).toBeVisible();
  await expect(panel).toContainText('We need two guards from Monday.');
});

test('an email becomes a quote request with what it says filled in, and counts in Needs attention until then', async ({
  page,
  request,
  server,
}) => {
  await openDeskWithQuote(page, request, { emergency_contact: false });
  const place = uniqueLocation().split(',')[0] ?? '';
  const subject = `Fire watch in ${place}`;
  unmatched(
    server,
    subject,
    'Dan Cole <dan@tower.example>',
    `We need a fire watch at 12 Dock Street, Houston, TX 77002 from tomorrow for one week.\nIt's urgent; call (713) 555-0142.\nDan`,
  );
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: /^Needs attention/ }).click();
  await page.getByRole('link', { name: 'Open Unmatched' }).click();
  const email = page.getByRole('listitem').filter({ hasText: subject });
  await email.getByRole('button', { name: 'Quote request' }).press('Enter');
  const form = email.getByRole('form', { name: 'Quote request' });
  await expect(form.getByLabel('First name')).toBeFocused();
  await expect(form.getByLabel('First name')).toHaveValue('Dan');
  await expect(form.getByLabel('Phone number')).toHaveValue('713-555-0142');
  await expect(form.getByLabel('Service type')).toHaveValue('fire-watch');
  await expect(form.getByLabel('Location')).toHaveValue('12 Dock Street, Houston, TX 77002');
  await expect(form.getByLabel('Start date')).not.toHaveValue('');
  await expect(form.getByLabel('Duration')).toHaveValue('1-week');
  await expect(form.getByLabel('Description')).toHaveValue(/It’s urgent, call/);
  await form.getByLabel('First name').fill('');
  await form.getByLabel('First name').press('Control+Enter');
  await expect(form.getByText('First name must be at least 2 characters')).toBeVisible();
  await form.getByLabel('First name').fill('Dan');
  await form.getByRole('button', { name: 'Make request' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'Dan Cole' })).toBeVisible();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Dan Cole wrote' })).toContainText('It');
});

test('marks of an email and files that are left out are said in words, also in print', async ({
  page,
  request,
  server,
}) => {
  const place = await openDeskWithQuote(page, request, { emergency_contact: false });
  const code = reference.exec(await rowOf(page, place).innerText())?.[0] ?? '';
  const subject = `Plans of ${place}`;
  server.command(
    ['receive'],
    `From: Eva <eva@property.example>\nTo: office@guardpost.example\nSubject: ${subject}\nMessage-ID: <${place.replace(/\W/g, '')}p@property.example>\nList-Id: <team.property.example>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee the plan.\n-- \nEva, manager\n--b\nContent-Type: application/pdf; name=plan.pdf\n\n%PDF-1.4\n--b\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+Ig==\n--b--\n`,
  );
  await page.goto('/admin?view=unmatched');
  const email = page.getByRole('listitem').filter({ hasText: subject });
  const notes = [
    'Sent through a list or by a program.',
    'Outlook has put its words or files into winmail.dat.',
  ];
  for (const note of notes) await expect(email).toContainText(note);
  await email.getByLabel('Reference of the request').fill(code);
  await page.keyboard.press('Enter');
  await expect(email).toBeHidden();
  await page.goto(`/admin?q=${encodeURIComponent(place.split(',')[0] ?? '')}`);
  await rowOf(page, place).locator('.row-link').click();
  const panel = page.getByRole('complementary');
  const entry = panel.getByRole('listitem').filter({ hasText: 'Eva wrote' });
  for (const note of notes) await expect(entry).toContainText(note);
  await entry.getByText('Earlier messages and signature').click();
  await expect(entry.getByText('Eva, manager')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const note of notes) await expect(entry.getByText(note)).toBeVisible();
  await expect(entry.getByText('plan.pdf')).toBeVisible();
  await expect(entry.getByText('Whole email')).toBeHidden();
});
