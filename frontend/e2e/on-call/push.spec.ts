// Alarms on a device. Real are the switch, the server's encryption and signature, the service
// worker and its events. Not real: a push service of a browser's maker cannot be reached from here,
// so the one of the test takes the server's requests, `PushManager` answers with its device, and
// its texts are handed to the service worker by the debugging protocol. A browser without windows
// shows no notifications, so what the worker asks it to show is recorded.
import type { BrowserContext, Page } from '@playwright/test';
import { start } from '../../scripts/test-server.mjs';
import { createQuote, putOnCall, uniqueLocation, urgent } from '../desk-helpers';
import { test as base, expect, expectDashboard, signIn, TestServer } from '../fixtures';
import { PushService } from './push-service';

const test = base.extend<object, { server: TestServer; service: PushService }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other names none
    async ({}, use) => {
      const service = new PushService();
      await service.start();
      await use(service);
      service.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture that needs no other names none
    async ({}, use) => {
      const { url, data, stop } = await start('debug', {
        ...process.env,
        GUARDPOST_SERVER__TRUSTED_PROXIES: '["127.0.0.0/8"]',
        GUARDPOST_OUTGOING__ALLOW: '["127.0.0.0/8"]',
      });
      await use(new TestServer(url, data));
      await stop();
    },
    { scope: 'worker' },
  ],
});

test.use({ serviceWorkers: 'allow', permissions: ['notifications'] });
test.describe.configure({ mode: 'serial' });

/** The browser subscribes at the push service of the test; the key it was given is kept. */
async function subscribeAt(service: PushService, context: BrowserContext) {
  await context.addInitScript((subscription) => {
    if (!('PushManager' in window)) return;
    // It says denied also where it was granted.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    const kept = 'subscribed-with';
    const object = {
      endpoint: subscription.endpoint,
      toJSON: () => subscription,
      async unsubscribe() {
        localStorage.removeItem(kept);
        return true;
      },
    } as unknown as PushSubscription;
    PushManager.prototype.subscribe = async (options) => {
      localStorage.setItem(kept, String(new Uint8Array(options?.applicationServerKey as ArrayBuffer)));
      return object;
    };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem(kept) ? object : null);
  }, service.subscription);
}

/** The key with which the browser has subscribed; null if it has not. */
const subscribedWith = (page: Page) => page.evaluate(() => localStorage.getItem('subscribed-with'));

async function openAccount(page: Page) {
  await signIn(page);
  await expectDashboard(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.goto('/admin/account');
  return page.getByRole('region', { name: 'Alarms on your devices' });
}

/** Hands a text to the service worker, as the browser does with what its push service brings. */
async function deliver(context: BrowserContext, page: Page, text: object) {
  const session = await context.newCDPSession(page);
  const found = new Promise<string>((done) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.endsWith('/admin'));
      if (ours) done(ours.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  const message = { origin, registrationId: await found, data: JSON.stringify(text) };
  await session.send('ServiceWorker.deliverPushMessage', message);
  await session.detach();
}

/** What the functions below use in the service worker, whose types exclude those of a page. */
type WorkerScope = {
  registration: ServiceWorkerRegistration;
  clients: { openWindow(url: string): Promise<null> };
  WindowClient: { prototype: { focus(): Promise<unknown> } };
  ExtendableEvent: new (type: string) => Event & { waitUntil(job: unknown): void };
  dispatchEvent(event: Event): boolean;
  shown: { title: string; body: string; tag: string; data: { url: string } }[];
};

function workerOf(context: BrowserContext) {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('there is no service worker');
  return worker;
}

/** Records the notifications that the service worker asks the browser to show, from now on. */
const recordNotifications = (context: BrowserContext) =>
  workerOf(context).evaluate(() => {
    const scope = self as unknown as WorkerScope;
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, ...options } as WorkerScope['shown'][number]);
    };
  });

/** The notifications that are shown. */
const notifications = (context: BrowserContext) =>
  workerOf(context).evaluate(() =>
    (self as unknown as WorkerScope).shown.map(({ title, body }) => [title, body]),
  );

/**
 * Presses the notification. Only a person's press may open or focus a window: the addresses that it
 * would open are returned, and a tab that is there is navigated for real.
 */
const pressNotification = (context: BrowserContext): Promise<string[]> =>
  workerOf(context).evaluate(async () => {
    const scope = self as unknown as WorkerScope;
    const opened: string[] = [];
    scope.clients.openWindow = async (url) => {
      opened.push(url);
      return null;
    };
    scope.WindowClient.prototype.focus = async function focus() {
      return this;
    };
    const [shown] = scope.shown;
    if (!shown) throw new Error('there is no notification');
    const work: unknown[] = [];
    const press = new scope.ExtendableEvent('notificationclick');
    const notification = { data: shown.data, close: () => scope.shown.pop() };
    Object.assign(press, { notification, waitUntil: (job: unknown) => work.push(job) });
    scope.dispatchEvent(press);
    await Promise.all(work);
    return opened;
  });

test('pushes are switched on by key, tried with the tab closed, and switched off', async ({
  page,
  context,
  service,
}) => {
  await subscribeAt(service, context);
  const section = await openAccount(page);
  await section.getByRole('button', { name: 'Turn on here' }).press('Enter');
  await expect(section.getByRole('button', { name: 'Turn off here' })).toBeVisible();
  const { host } = new URL(service.subscription.endpoint);
  await expect(section.getByRole('listitem')).toContainText(host);
  // An uncompressed point of P-256.
  expect((await subscribedWith(page))?.split(',')).toHaveLength(65);

  await section.getByRole('button', { name: 'Send me a test' }).press('Enter');
  await expect(page.locator('.toast')).toContainText('Sent to 1 device');
  const [push] = service.take();
  expect(push?.headers.authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, ?k=[\w-]+$/);
  expect(push?.text).toMatchObject({ title: 'Test', body: 'Alarms reach this device.' });

  // No tab of the desk is open.
  const other = await context.newPage();
  await page.close();
  await other.goto('/');
  await recordNotifications(context);
  await deliver(context, other, push?.text ?? {});
  await expect.poll(() => notifications(context)).toEqual([['Test', 'Alarms reach this device.']]);
  expect(await pressNotification(context)).toEqual([new URL('/admin/account', other.url()).href]);
  await expect.poll(() => notifications(context)).toEqual([]);

  // Each opening of the desk subscribes anew.
  await other.evaluate(() => localStorage.removeItem('subscribed-with'));
  const again = other.waitForRequest(
    (sent) => sent.method() === 'PUT' && sent.url().endsWith('/api/admin/push'),
  );
  await other.goto('/admin/account');
  expect((await again).postDataJSON()).toEqual(service.subscription);
  const there = other.getByRole('region', { name: 'Alarms on your devices' });
  await there.getByRole('button', { name: 'Turn off here' }).press('Enter');
  await expect(there.getByRole('listitem')).toHaveCount(0);
  await expect(there.getByRole('button', { name: 'Send me a test' })).toHaveCount(0);
  expect(await subscribedWith(other)).toBeNull();
});

test('an emergency reaches the person on call, and a press opens its request', async ({
  page,
  context,
  request,
  service,
}) => {
  await putOnCall(request);
  await subscribeAt(service, context);
  const section = await openAccount(page);
  await section.getByRole('button', { name: 'Turn on here' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(1);
  service.take();
  const place = uniqueLocation();
  await createQuote(request, place, urgent);
  let texts: Record<string, string>[] = [];
  await expect
    .poll(() => {
      texts = [...texts, ...service.take().map(({ text }) => text)];
      return texts.length;
    })
    .toBe(1);
  const [text = {}] = texts;
  expect(text.title).toBe('Emergency');
  expect(text.body).toMatch(/^Fire Watch in Post\w+, just now$/);
  expect(JSON.stringify(text)).not.toMatch(/Marta|Núñez|property\.example|555/);
  await recordNotifications(context);
  await deliver(context, page, text);
  await expect.poll(() => notifications(context)).toEqual([['Emergency', text.body]]);
  expect(await pressNotification(context)).toEqual([]);
  const panel = page.getByRole('complementary');
  await expect(panel.getByRole('heading', { name: 'Marta Núñez' })).toBeVisible();
  await expect(panel).toContainText(place);
});

test('a device that is gone is dropped, and a refused permission says what to do', async ({
  page,
  context,
  service,
}) => {
  await subscribeAt(service, context);
  const section = await openAccount(page);
  await section.getByRole('button', { name: 'Turn on here' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(1);
  service.status = 410;
  await section.getByRole('button', { name: 'Send me a test' }).click();
  await expect(section.getByRole('alert')).toContainText('no longer subscribed and was removed');
  await expect(section.getByRole('listitem')).toHaveCount(0);
  service.status = 201;
  await section.getByRole('button', { name: 'Turn off here' }).click();
  await context.clearPermissions();
  await section.getByRole('button', { name: 'Turn on here' }).click();
  await expect(section.getByRole('alert')).toContainText('allow them in its settings');
  await expect(section.getByRole('button', { name: 'Turn on here' })).toBeVisible();
});

test('a private window says that it takes no pushes, and what to use', async ({ page }) => {
  // The contexts of the tests are private windows; nothing is replaced here.
  const section = await openAccount(page);
  await section.getByRole('button', { name: 'Turn on here' }).click();
  await expect(section.getByRole('alert')).toContainText('A private window never allows them');
  await expect(section.getByRole('button', { name: 'Turn on here' })).toBeVisible();
});
