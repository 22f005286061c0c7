// The option of the quote form that `?service=value` preselects, from seeds/site/services.json.
import services from '@seeds/site/services.json?in=pages&pick=quote,preselect';

/** The values of `?service=` that the service pages link with. */
export const quoteValues = /* @__PURE__ */ services.map(({ quote }) => quote);

/** The option to preselect, or an empty string. */
export function preselectedService(search: string): string {
  const requested = new URLSearchParams(search).get('service');
  return services.find(({ quote }) => quote === requested)?.preselect ?? '';
}
