// The dashboard's service worker, for /admin and what is below it: keeps the document of /admin and
// its files, so that an installed desk opens without a network at any of its addresses. It keeps no
// data: calls of the API are not its business and are never stored.
const shell = 'guardpost-admin-shell';
const files = /^\/(assets\/|start\.js$|print\.css$|favicon|icon-|apple-touch-icon|admin\.webmanifest$)/;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(fetch('/admin').then((response) => keepDocument(response)));
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(openDocument(request));
  else if (files.test(url.pathname)) event.respondWith(openFile(request));
});

// An alarm: it has no names. A later one of the same alarm replaces it.
self.addEventListener('push', (event) => {
  const { title, body, tag, url } = event.data?.json() ?? {};
  const shown = self.registration.showNotification(title ?? 'Guardpost', {
    body: body ?? '',
    ...(tag ? { tag, renotify: true } : {}),
    requireInteraction: true,
    data: { url: url ?? '/admin' },
  });
  event.waitUntil(shown);
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/**
 * Opens an address of the desk in a tab that is there, or in a new one. Its host is this desk's,
 * also where the server knows itself by another name.
 */
async function open(address) {
  const { pathname, search } = new URL(address, location.origin);
  const url = new URL(location.origin);
  Object.assign(url, { pathname, search });
  const tabs = await self.clients.matchAll({ type: 'window' });
  const tab = tabs.find((it) => new URL(it.url).pathname.startsWith('/admin'));
  if (!tab) {
    await self.clients.openWindow(url.href);
    return;
  }
  await tab.focus();
  await tab.navigate(url.href);
}

/** The document from the network; without one, the kept document. */
async function openDocument(request) {
  try {
    const response = await fetch(request);
    if (response.ok && new URL(request.url).pathname === '/admin') keepDocument(response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match('/admin');
    if (kept) return kept;
    throw error;
  }
}

/** Keeps the document with the files it names, and forgets those of the release before. */
async function keepDocument(response) {
  const cache = await caches.open(shell);
  const kept = await cache.match('/admin');
  const html = await response.clone().text();
  if (kept && (await kept.text()) === html) return;
  const named = [...html.matchAll(/[" ](\/(?:assets\/|start\.js|print\.css)[^" #]*)/g)].map(
    ([, path]) => path,
  );
  await caches.delete(shell);
  const fresh = await caches.open(shell);
  await fresh.addAll([...new Set(named)]);
  await fresh.put('/admin', response);
}

/** A file with a hash in its name never changes; the others come from the network first. */
async function openFile(request) {
  const kept = await caches.match(request);
  if (kept && new URL(request.url).pathname.startsWith('/assets/')) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) (await caches.open(shell)).put(request, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
