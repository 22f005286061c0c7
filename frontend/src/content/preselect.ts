// Which option of the quote form `?service=value` selects: the only part of seeds/site/services.json the form needs.
import services from '@seeds/site/services.json?in=pages&only=quote,preselect';

/** The values of `?service=` that the service pages link with. */
export const quoteValues = services.map(({ quote }) => quote);

/** The option that a query preselects, or an empty string. */
export function preselected(search: string): string {
  const asked = new URLSearchParams(search).get('service');
  return services.find(({ quote }) => quote === asked)?.preselect ?? '';
}
