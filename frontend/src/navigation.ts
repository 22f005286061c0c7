// Moving between pages without loading documents: plain links are followed here, their pages fetched on intent,
// and on arrival the title, the announcement, the scroll position and the focus are set.
import { navigate } from 'wouter/use-browser-location';
import { closeMenus, markCurrentPage } from './layout/header-menus';
import { type LoadedRoute, loadRoute, matchRoute } from './routes';
import { announce } from './ui/toast';

/** How long scrolling must rest before its place is noted, in milliseconds. */
const scrollSettleMs = 120;

/** The visitor went back or forward: the place left there is returned to. */
let isHistoryNavigation = false;
let saveTimer = 0;

/** Follows internal links in place and fetches their pages when a visitor is about to use them. */
export function initNavigation() {
  document.addEventListener('click', onClick);
  for (const intent of ['pointerover', 'focusin', 'touchstart'] as const) {
    document.addEventListener(intent, prefetch, { passive: true });
  }
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto';
  });
  addEventListener('scroll', () => {
    clearTimeout(saveTimer);
    saveTimer = window.setTimeout(saveScrollPosition, scrollSettleMs);
  });
  addEventListener('popstate', () => {
    clearTimeout(saveTimer);
    isHistoryNavigation = true;
  });
}

/** Keeps the scroll position with the entry of the history. */
function saveScrollPosition() {
  clearTimeout(saveTimer);
  history.replaceState({ ...history.state, top: scrollY }, '');
}

function onClick(event: MouseEvent) {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
  const url = internalLink(event.target);
  if (!url) return;
  const here = url.pathname === location.pathname && url.search === location.search;
  if (here && url.hash) return closeMenus();
  event.preventDefault();
  saveScrollPosition();
  isHistoryNavigation = false;
  if (here) scrollToTop(0);
  else navigate(url.pathname + url.search + url.hash);
}

function prefetch({ target }: Event) {
  const url = internalLink(target);
  if (url && url.pathname !== location.pathname) loadRoute(url.pathname).catch(() => {});
}

/** The address of the link around a node, if it is one of our pages opened in this window. */
function internalLink(target: EventTarget | null): URL | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!link || link.hasAttribute('target') || link.hasAttribute('download')) return;
  // A link of the map is an SVG element, whose `href` is not a text.
  const url = new URL(link.getAttribute('href') ?? '', document.baseURI);
  if (url.origin === location.origin && matchRoute(url.pathname).page.key !== 'not-found') return url;
}

/** A page's code could not be fetched (offline, or the site was updated): let the browser load the document. */
export function reloadDocument() {
  location.reload();
}

/** Called when a page has just been drawn after a navigation. */
export function afterNavigation({ title, path }: LoadedRoute) {
  document.title = title;
  announce(title);
  closeMenus();
  markCurrentPage(path);
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  const focus =
    target ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  focus?.setAttribute('tabindex', '-1');
  focus?.focus({ preventScroll: true });
  const place: unknown = isHistoryNavigation ? history.state?.top : undefined;
  isHistoryNavigation = false;
  if (typeof place === 'number') scrollToTop(place);
  else if (target) target.scrollIntoView();
  else scrollToTop(0);
}

function scrollToTop(top: number) {
  scrollTo({ top, behavior: 'instant' });
}
