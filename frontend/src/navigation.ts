// Moving between pages without loading documents: plain links are followed here, their pages fetched on intent,
// and on arrival the title, the announcement, the scroll position and the focus are set.
import { navigate } from 'wouter/use-browser-location';
import { fill } from './company';
import { closeMenus } from './layout/menus';
import { find, open, type Shown } from './routes';
import { announce } from './ui/toast';

/** Follows internal links in place and fetches their pages when a visitor is about to use them. */
export function followLinks() {
  document.addEventListener('click', follow);
  for (const intent of ['pointerenter', 'focusin', 'touchstart'] as const) {
    document.addEventListener(intent, prefetch, { capture: true, passive: true });
  }
}

function follow(event: MouseEvent) {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const url = internalLink(event.target);
  if (!url || (url.pathname === location.pathname && url.hash)) return;
  event.preventDefault();
  navigate(url.pathname + url.search + url.hash);
}

function prefetch(event: Event) {
  const url = internalLink(event.target);
  if (url && url.pathname !== location.pathname) open(url.pathname).catch(() => {});
}

/** The address of the link around a node, if it is one of our pages opened in this window. */
function internalLink(target: EventTarget | null): URL | undefined {
  const link = target instanceof Element ? target.closest('a[href]') : null;
  if (!link || link.hasAttribute('target') || link.hasAttribute('download')) return;
  const url = new URL(link.getAttribute('href') ?? '', document.baseURI);
  if (url.origin === location.origin && find(url.pathname).page.key !== 'not-found') return url;
}

/** A page's code could not be fetched (offline, or the site was updated): let the browser load the document. */
export function reloadAt() {
  location.reload();
}

/** Called when a page has just been drawn after a navigation. */
export function arrive({ page, params }: Shown) {
  document.title = fill(page.title, { 'state.name': nameOfSlug(params.slug ?? '') });
  announce(document.title);
  closeMenus();
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  if (target) target.scrollIntoView();
  else scrollTo(0, 0);
  const heading =
    document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}

function nameOfSlug(slug: string): string {
  return slug.replace(/(^|-)([a-z])/g, (_, dash, letter) => (dash ? ' ' : '') + letter.toUpperCase());
}
