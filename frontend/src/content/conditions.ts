// Parts of a page that depend on the company's facts. The server removes an element whose `data-if`
// does not hold (src/site/documents.rs); the browser does not render it.
import { company, prerendering } from '../company';

/** A fact by its path, as in `licenses.TX`, negated by `!`. */
export type Condition = `company.${string}` | `!company.${string}`;

/** Whether to render an element with `data-if={condition}`. While prerendering: always. */
export function holds(condition: Condition | undefined): boolean {
  if (prerendering || !condition) return true;
  const path = condition.replace(/^!?company\./, '').split('.');
  const fact = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], company);
  return Boolean(fact) !== condition.startsWith('!');
}

/** The license of a state. While prerendering, its facts are placeholders. */
export function licenseOf(state: string) {
  const fact = (group: 'licenses' | 'license_holders' | 'license_expires') =>
    prerendering ? `{{company.${group}.${state}}}` : (company[group]?.[state] ?? '');
  return {
    number: fact('licenses'),
    holder: fact('license_holders'),
    expires: fact('license_expires'),
  };
}

/** The condition of a sample: it is shown on the operator's own host only. */
export function sampleCondition({ sample }: { sample: boolean }): Condition | undefined {
  return sample ? 'company.samples' : undefined;
}

/** The entries to render, and the condition of a section that has only samples. */
export function shownEntries<T extends { sample: boolean }>(entries: readonly T[]) {
  const shown = entries.filter((entry) => holds(sampleCondition(entry)));
  return {
    shown,
    condition: entries.some(({ sample }) => !sample) ? undefined : ('company.samples' as const),
  };
}
