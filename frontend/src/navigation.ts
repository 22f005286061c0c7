// Client-side navigation: follows internal links without loading documents, prefetches pages on
// intent, and after navigation sets the title, the announcement, the scroll position and the focus.
import { navigate } from 'wouter/use-browser-location';
import { company } from './company';
import { closeMenus, markCurrentPage } from './layout/header-menus';
import { layOutWhenIdle } from './layout/idle-layout';
import { type LoadedRoute, loadRoute, matchRoute } from './routes';
import { announce } from './ui/toast';

/** Milliseconds without scrolling after which the position is saved. */
const scrollSettleMs = 120;

/** Set on back and forward navigation: the saved scroll position is restored. */
let isHistoryNavigation = false;
let saveTimer = 0;

/** Installs the listeners for navigation, prefetching and scroll restoration. */
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

/** Saves the scroll position in the current history entry. */
function saveScrollPosition() {
  clearTimeout(saveTimer);
  history.replaceState({ ...history.state, top: scrollY }, '');
}

function onClick(event: MouseEvent) {
  const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
  const url = internalLink(event.target);
  if (!url) return;
  const isSamePage = url.pathname === location.pathname && url.search === location.search;
  if (isSamePage && url.hash) return closeMenus();
  event.preventDefault();
  saveScrollPosition();
  isHistoryNavigation = false;
  if (isSamePage) scrollToY(0);
  else navigate(url.pathname + url.search + url.hash);
}

function prefetch({ target }: Event) {
  const url = internalLink(target);
  if (url && url.pathname !== location.pathname) loadRoute(url.pathname).catch(() => {});
}

/** The URL of the link around a node, if it leads to one of our pages in this window. */
function internalLink(target: EventTarget | null): URL | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!link || link.hasAttribute('target') || link.hasAttribute('download')) return;
  // Links on the map are SVG elements, whose `href` property is not a string.
  const url = new URL(link.getAttribute('href') ?? '', document.baseURI);
  // The code of other pages has the content of the build.
  if (company.edited && url.pathname !== location.pathname) return;
  if (url.origin === location.origin && matchRoute(url.pathname).page.key !== 'not-found') return url;
}

/**
 * Loads the document instead: the code of a page could not be fetched (offline, or a new release).
 */
export function reloadDocument() {
  location.reload();
}

/** Called after a client-side navigation has rendered the new page. */
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
  const savedTop: unknown = isHistoryNavigation ? history.state?.top : undefined;
  isHistoryNavigation = false;
  if (typeof savedTop === 'number') scrollToY(savedTop);
  else if (target) target.scrollIntoView();
  else scrollToY(0);
  layOutWhenIdle();
}

function scrollToY(top: number) {
  scrollTo({ top, behavior: 'instant' });
}
