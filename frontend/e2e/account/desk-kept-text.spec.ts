// What is typed into any form of the desk is there again after another page, a reload and the end
// of the session, also what was typed a moment before.
import type { Locator, Page } from '@playwright/test';
import { createQuote, kim, uniqueLocation } from '../desk-helpers';
import { admin, expect, expectDashboard, signIn } from '../fixtures';
import { publishedRates, sentOffer } from '../offers/offer-helpers';
import { test } from '../own-server';

type Form = {
  name: string;
  path: string;
  /** Opens the form, where it is not open, and returns a field of it. */
  field(page: Page): Promise<Locator> | Locator;
  text: string;
};

const panelOf = (page: Page) => page.getByRole('complementary');

/** A field of a form that a button of the open request opens. */
const behind =
  (button: RegExp | string, label: string) =>
  async (page: Page): Promise<Locator> => {
    await panelOf(page).getByRole('button', { name: button }).click();
    return panelOf(page).getByLabel(label, { exact: true });
  };

/** A field in a box that a line of text opens. */
const under =
  (summary: string, label: string) =>
  async (page: Page): Promise<Locator> => {
    await page.getByText(summary, { exact: true }).click();
    return page.getByLabel(label, { exact: true });
  };

test('every form keeps its text over another page, a reload and the end of the session', async ({
  page,
  own: server,
  request,
}) => {
  test.setTimeout(300_000);
  await kim(server, request);
  const id = await createQuote(request, uniqueLocation(), { emergency_contact: false });
  const closed = await createQuote(request, uniqueLocation(), { emergency_contact: false });
  const call = await publishedRates(request);
  await call('PATCH', `/inbox/${closed}`, { status: 'in_progress' });
  await call('PATCH', `/inbox/${closed}`, { status: 'completed' });
  const drafted = await createQuote(request, uniqueLocation(), { emergency_contact: false });
  await call('POST', `/inbox/${drafted}/offers`, {});
  const offered = await sentOffer(request);
  const message = 'Message-ID: <kept@property.example>\n\nDo you guard docks?\n';
  server.command(
    ['receive'],
    `From: Bob <bob@elsewhere.example>\nTo: office@guardpost.example\nSubject: Docks\n${message}`,
  );

  const open = `/admin?request=${id}`;
  const forms: Form[] = [
    { name: 'note', path: open, field: behind(/^Add a note/, 'Note'), text: 'Gate 4' },
    { name: 'reply', path: open, field: behind(/^Reply/, 'Text'), text: 'Dear Marta' },
    { name: 'call', path: open, field: behind(/^Log a call/, 'Note (optional)'), text: 'Call at noon' },
    { name: 'reminder', path: open, field: behind(/^Remind me/, 'Or on'), text: '2099-01-02T03:04' },
    { name: 'details', path: open, field: behind('Edit details', 'Company (optional)'), text: 'Bayou Lofts' },
    {
      name: 'template',
      path: open,
      async field(page) {
        await panelOf(page)
          .getByRole('button', { name: /^Reply/ })
          .click();
        await panelOf(page).getByText('My templates').click();
        const title = panelOf(page).getByLabel('Name of the template');
        const save = panelOf(page).getByRole('button', { name: 'Save what is typed as a template' });
        await expect(title.or(save)).toBeVisible();
        if (await save.isVisible()) await save.click();
        return title;
      },
      text: 'Gates',
    },
    {
      name: 'correction',
      path: `/admin?view=everything&request=${closed}`,
      async field(page) {
        await panelOf(page).getByText('More', { exact: true }).click();
        return panelOf(page).getByLabel('Reason');
      },
      text: 'A slip of the hand',
    },
    {
      name: 'outcome',
      path: `/admin?view=everything&request=${closed}`,
      async field(page) {
        await panelOf(page).getByRole('button', { name: 'Record it' }).click();
        await panelOf(page).getByRole('button', { name: /^Lost/ }).click();
        return panelOf(page).getByLabel('Words (optional)');
      },
      text: 'Too far away',
    },
    {
      name: 'request by phone',
      path: '/admin',
      async field(page) {
        await page.getByRole('button', { name: 'Phone request' }).click();
        return panelOf(page).getByLabel('First name');
      },
      text: 'Ruth',
    },
    { name: 'filter', path: '/admin', field: under('Saved', 'Save this view as'), text: 'Docks' },
    {
      name: 'reference of an email',
      path: '/admin?view=unmatched',
      field: (page) => page.getByLabel('Reference of the request'),
      text: 'GP-2K7Q',
    },
    {
      name: 'quote of an email',
      path: '/admin?view=unmatched',
      async field(page) {
        await page.getByRole('button', { name: 'Quote request' }).click();
        return page.getByLabel('Location');
      },
      text: 'Katy, TX',
    },
    {
      name: 'offer',
      path: `/admin?request=${drafted}`,
      field: behind('Go on with the draft', 'How many'),
      text: '7',
    },
    {
      name: 'answer to an offer',
      path: `/admin?request=${offered.id}`,
      async field(page) {
        await panelOf(page)
          .getByRole('button', { name: /^Withdraw/ })
          .click();
        return panelOf(page).getByLabel(/^Why\?/);
      },
      text: 'Sent by mistake',
    },
    {
      name: 'rota',
      path: '/admin/on-call',
      async field(page) {
        const at = page.getByRole('group', { name: /^Rotation 1/ }).getByLabel('At', { exact: true });
        const add = page.getByRole('button', { name: 'Add a rotation' });
        await expect(add).toBeVisible();
        if (!(await at.isVisible())) await add.click();
        return at;
      },
      text: '06:30',
    },
    {
      name: 'override',
      path: '/admin/on-call',
      field: (page) => page.getByRole('region', { name: 'Overrides' }).getByLabel('From'),
      text: '2099-01-02T03:04',
    },
    {
      name: 'number',
      path: '/admin/on-call',
      field: (page) => page.getByLabel('Number of kim', { exact: true }),
      text: '713 555 0142',
    },
    {
      name: 'webhook',
      path: '/admin/on-call',
      field: under('Add a webhook or a chat room', 'Name'),
      text: 'Night room',
    },
    {
      name: 'profile',
      path: '/admin/account',
      field: (page) => page.getByRole('textbox', { name: 'Signature' }),
      text: 'Ana, night desk',
    },
    {
      name: 'new address',
      path: '/admin/account',
      field: (page) => page.getByLabel('New email'),
      text: 'ana@guardpost.example',
    },
    {
      name: 'invitation',
      path: '/admin/users',
      field: (page) => page.getByRole('textbox', { name: 'Email', exact: true }),
      text: 'ruth@guardpost.example',
    },
    {
      name: 'rates',
      path: '/admin/rates',
      field: under('Insurance, validity, conditions, consent', 'Insurance line (optional)'),
      text: 'General liability $2,000,000',
    },
    {
      name: 'site',
      path: '/admin/site?section=clients',
      async field(page) {
        const name = page.getByLabel('Name', { exact: true });
        const entry = page.locator('.site-list > ul > li').last();
        await expect(entry).toBeVisible();
        if ((await entry.textContent())?.includes('Tulsa Rail')) await entry.getByText('Tulsa Rail').click();
        else await page.getByRole('button', { name: 'Add client' }).click();
        return name;
      },
      text: 'Tulsa Rail',
    },
  ];

  await signIn(page);
  await expectDashboard(page);
  const links = page.getByRole('navigation', { name: 'Admin' });
  for (const form of forms) {
    await test.step(`${form.name}: another page`, async () => {
      await page.goto(form.path);
      await (await form.field(page)).fill(form.text, { timeout: 15_000 });
      await links.getByRole('link', { name: form.path.includes('account') ? 'Figures' : 'Account' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^(Account|Figures)$/);
      await page.goBack();
      await expect(await form.field(page)).toHaveValue(form.text);
    });
  }

  await page.goto(open);
  const text = await behind(/^Add a note/, 'Note')(page);
  await text.fill('');
  const { access_token } = await (
    await request.post('/auth/v1/token?grant_type=password', { data: admin })
  ).json();
  const headers = { Authorization: `Bearer ${access_token}` };
  await text.pressSequentially('Gate 4');
  await request.post('/auth/v1/logout?scope=global', { headers });
  await expect(page.getByText('You have been signed out. Sign in again.')).toBeVisible({ timeout: 20_000 });
  await page.keyboard.type(' and gate 5');
  await expect(page.getByLabel('Email'), 'letters of the note').toHaveValue('');

  await signIn(page);
  await expectDashboard(page);
  for (const form of forms) {
    await test.step(`${form.name}: a reload and another session`, async () => {
      await page.goto(form.path);
      await expect(await form.field(page)).toHaveValue(form.text);
    });
  }
});
