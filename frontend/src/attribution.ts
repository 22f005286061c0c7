// Where a visit came from, told with the form: first-party, for this tab only, nothing personal, no cookie.
// Visitors who ask not to be tracked (Do Not Track, Global Privacy Control) are not.
import type { components } from './api/schema';
import { getItem, getJson, setItem } from './safe-storage';

export type Attribution = components['schemas']['Attribution'];

const campaignParams = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
] as const;

/** The longest value that is worth telling; links can carry anything. */
const maxValueLength = 200;

/** Whether the browser asks for not being followed. */
function optsOutOfTracking(): boolean {
  const asks = navigator as Navigator & { globalPrivacyControl?: boolean };
  return asks.doNotTrack === '1' || asks.globalPrivacyControl === true;
}

/** Notes how the visit began, once: on its first page, or for who went on before this code came, on the next. */
export function recordAttribution() {
  if (optsOutOfTracking() || getItem('sessionStorage', 'arrival')) return;
  const from = document.referrer ? new URL(document.referrer) : undefined;
  const first = from?.host === location.host ? from : new URL(location.href);
  const arrival: Attribution = { landing: first.pathname };
  if (from && from !== first) arrival.referrer_host = from.hostname;
  for (const name of campaignParams) {
    const value = first.searchParams.get(name)?.slice(0, maxValueLength);
    if (value) arrival[name] = value;
  }
  setItem('sessionStorage', 'arrival', JSON.stringify(arrival));
}

/** What to tell with a form; nothing for visitors who ask for privacy. */
export function attribution(): Attribution | undefined {
  return optsOutOfTracking() ? undefined : getJson('sessionStorage', 'arrival', undefined);
}

/** Counts taps on phone links, in aggregate: the page's path and nothing else. */
export function countCallClicks() {
  document.addEventListener('click', ({ target }) => {
    if (optsOutOfTracking() || !(target instanceof Element) || !target.closest('a[href^="tel:"]')) return;
    const body = JSON.stringify({ page: location.pathname });
    navigator.sendBeacon('/api/taps', new Blob([body], { type: 'application/json' }));
  });
}
