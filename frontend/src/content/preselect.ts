// The option of the quote form that `?service=value` preselects: of that value, or as
// seeds/site/services.json maps it.
import mapped from '@seeds/site/services.json?in=pages&pick=quote,preselect&differ=quote,preselect';

/** The option to preselect; none has it if the value is unknown. */
export function preselectedService(search: string): string {
  const requested = new URLSearchParams(search).get('service') ?? '';
  return mapped.find(({ quote }) => quote === requested)?.preselect ?? requested;
}
