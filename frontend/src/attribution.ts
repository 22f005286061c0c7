// Attribution of a visit, sent with the forms: first-party, per tab, no cookie, nothing personal.
// Nothing is recorded for visitors who opt out of tracking (Do Not Track, Global Privacy Control).
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

/** The maximum length of a recorded URL parameter, in characters. */
const maxValueLength = 200;

/** Whether the browser sends Do Not Track or Global Privacy Control. */
function optsOutOfTracking(): boolean {
  const asks = navigator as Navigator & { globalPrivacyControl?: boolean };
  return asks.doNotTrack === '1' || asks.globalPrivacyControl === true;
}

/**
 * Records the landing page, the referrer and the campaign parameters, once per tab. If the visitor
 * followed a link before this script loaded, the referrer is our own landing page and counts as
 * such.
 */
export function recordAttribution() {
  if (optsOutOfTracking() || getItem('sessionStorage', 'arrival')) return;
  const from = document.referrer ? new URL(document.referrer) : undefined;
  const first = from?.host === location.host ? from : new URL(location.href);
  const visit: Attribution = { landing: first.pathname };
  if (from && from !== first) visit.referrer_host = from.hostname;
  for (const name of campaignParams) {
    const value = first.searchParams.get(name)?.slice(0, maxValueLength);
    if (value) visit[name] = value;
  }
  setItem('sessionStorage', 'arrival', JSON.stringify(visit));
}

/** The recorded attribution; undefined if there is none or the visitor opts out of tracking. */
export function attribution(): Attribution | undefined {
  return optsOutOfTracking() ? undefined : getJson('sessionStorage', 'arrival', undefined);
}

/**
 * Reports clicks on phone links and, once for each page, forms that a visitor begins to fill in.
 * Only the path of the page is sent.
 */
export function countClicks() {
  let begun: unknown;
  const report = (what: string) => {
    if (optsOutOfTracking()) return;
    const body = JSON.stringify({ page: location.pathname });
    navigator.sendBeacon(what, new Blob([body], { type: 'application/json' }));
  };
  addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a[href^="tel:"]')) report('/api/taps');
  });
  addEventListener('input', ({ target }) => {
    const form = (target as Element).closest('form[action]');
    if (form && form !== begun) report('/api/begun');
    begun = form;
  });
}
