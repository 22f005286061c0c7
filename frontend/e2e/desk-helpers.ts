// Helpers of the dashboard tests: requests, and other admins.
import type { APIRequestContext, Page } from '@playwright/test';
import { admin, expect, expectDashboard, signIn, type TestServer } from './fixtures';

/** The reference of a request. */
export const reference = /GP-[2-9B-DF-HJ-NP-TV-XZ]{4,}/;

/** A location that no other test uses. */
let locations = 0;
export function uniqueLocation(): string {
  locations += 1;
  return `Post${process.pid}x${locations}, TX`;
}

/** Creates a quote request at `location`; returns its id. */
export async function createQuote(
  request: APIRequestContext,
  location: string,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const answer = await request.post('/api/quotes', {
    headers: { 'X-Forwarded-For': `203.0.${locations % 250}.${Math.floor(Math.random() * 250)}` },
    data: {
      first_name: 'Marta',
      last_name: 'Núñez',
      email: 'marta@property.example',
      phone: '(713) 555-0188',
      service_type: 'fire-watch',
      location,
      start_date: '2099-12-01',
      duration: '1-week',
      description: 'Panel is down',
      emergency_contact: false,
      attribution: { utm_source: 'a-campaign' },
      ...changes,
    },
  });
  expect(answer.status()).toBe(201);
  return (await answer.json()).id;
}

/** Sends a contact message with `details`; returns its id. */
export async function createMessage(request: APIRequestContext, details: string): Promise<string> {
  const answer = await request.post('/api/contact', {
    headers: {
      'X-Forwarded-For': `203.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
    },
    data: {
      first_name: 'Devon',
      last_name: 'Price',
      email: 'devon@events.example',
      phone: '(713) 555-0142',
      company: 'Lone Star Events',
      service: 'event',
      details,
    },
  });
  expect(answer.status()).toBe(201);
  return (await answer.json()).id;
}

/** Creates another admin, Kim, and returns a function that calls the API as Kim. */
export async function kim(server: TestServer, request: APIRequestContext) {
  const account = { email: 'kim@guardpost.example', password: 'quiet-harbor-lantern-43' };
  try {
    server.command(['create-admin', '--email', account.email, '--password-stdin'], `${account.password}\n`);
  } catch {
    // Another test of this server has created the account.
  }
  const session = await request.post('/auth/v1/token?grant_type=password', { data: account });
  const { access_token } = await session.json();
  const headers = { Authorization: `Bearer ${access_token}` };
  const call = async (method: 'PATCH' | 'POST' | 'PUT', path: string, data: unknown) => {
    const answer = await request.fetch(`/api/admin/${path}`, { method, headers, data });
    expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
  };
  return { account, call };
}

/** Opens the only request of the list by the keyboard, and its reply form with `e`. */
export async function startReply(page: Page) {
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  const panel = page.getByRole('complementary');
  await expect(panel.getByLabel('Text', { exact: true })).toBeFocused();
  return panel;
}

/** Inserts a template into the open reply: `/` in an empty line, its name, Enter. */
export async function insertTemplate(page: Page, name: string) {
  await page.getByRole('button', { name: 'Templates', exact: true }).click();
  const list = page.getByRole('dialog', { name: 'Insert a template' });
  await list.getByRole('combobox').fill(name);
  await expect(list.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
}

/** Answers a request as Kim; returns the email's Message-ID once it has left. */
export async function answered(
  server: TestServer,
  request: APIRequestContext,
  { id, subject }: { id: string; subject: string },
): Promise<string> {
  const { call } = await kim(server, request);
  await call('POST', `inbox/${id}/replies`, { subject, text: 'When shall we start?' });
  const sent = await server.waitForEmail(`Subject: ${subject}`);
  return /^Message-ID: (<.*>)/im.exec(sent)?.[1] ?? '';
}

/** Receives an email of Marta that answers `messageId`, by the pipe. */
export function receiveAnswer(server: TestServer, messageId: string, text: string) {
  const id = `${text.replace(/\W/g, '').slice(0, 60)}${messageId.replace(/\W/g, '')}`;
  server.command(
    ['receive'],
    `From: Marta <marta@property.example>\nTo: office@guardpost.example\nSubject: Re: Guards\nMessage-ID: <${id}@property.example>\nIn-Reply-To: ${messageId}\n\n${text}\n`,
  );
}

/** Changes statuses as another admin. */
export async function anotherAdmin(server: TestServer, request: APIRequestContext) {
  const session = await request.post(`${server.url}/auth/v1/token?grant_type=password`, { data: admin });
  const { access_token } = await session.json();
  return async (id: string, status: string) => {
    const headers = { Authorization: `Bearer ${access_token}` };
    const moved = await request.patch(`${server.url}/api/admin/quotes/${id}`, { data: { status }, headers });
    expect(moved.status()).toBe(200);
  };
}

/**
 * Changes that make a quote request a held one: the trap is filled in, and it links to two sites.
 */
export const spam = {
  motto: 'google',
  email: 'ann@shoes.example',
  description: 'Cheap shoes at https://one.example and https://two.example',
  emergency_contact: false,
};

/** Changes that make a quote request an emergency: it raises the alarm on every page. */
export const urgent = { emergency_contact: true };

/** The admin is on call, around the clock. */
export async function putOnCall(request: APIRequestContext) {
  const session = await request.post('/auth/v1/token?grant_type=password', { data: admin });
  const { access_token, user } = await session.json();
  const headers = { Authorization: `Bearer ${access_token}` };
  const { rota } = await (await request.get('/api/admin/on-call', { headers })).json();
  const shifts = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    person: user.id,
    week: 0,
    weekday,
    from: '00:00',
    until: '24:00',
  }));
  const data = { weeks: 1, first_day: '2026-01-05', shifts, version: rota.version };
  const saved = await request.put('/api/admin/on-call/rota', { headers, data });
  expect(saved.ok(), await saved.text()).toBe(true);
}

export function rowOf(page: Page, location: string) {
  return page.locator('.row').filter({ hasText: location });
}

/** The dashboard, showing the requests for one place. */
export async function openDesk(page: Page, location: string) {
  await signIn(page);
  await expectDashboard(page);
  await page.goto(`/admin?q=${encodeURIComponent(location.split(',')[0] ?? '')}`);
  await expect(rowOf(page, location).first()).toBeVisible();
}

/** Unfolds the files of the open request. */
export async function openFiles(page: Page) {
  const files = page.getByRole('complementary').getByRole('region', { name: 'Files' });
  await files.getByText(/^Files \(\d+\)/).click();
  return files;
}

/** The dashboard, showing only a new quote request; returns its location. */
export async function openDeskWithQuote(
  page: Page,
  request: APIRequestContext,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const place = uniqueLocation();
  await createQuote(request, place, changes);
  await openDesk(page, place);
  return place;
}
