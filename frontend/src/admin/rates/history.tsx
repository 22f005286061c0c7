// Who published rates, when, and what each version changed.
import { listRateVersions, readRateVersion } from '../../api/offers';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { useRead } from '../session/use-read';
import { type Change, Line, WhatChanged } from '../site/changes';
import { choicesOf, entryTitle, type Shape } from '../site/shape';
import { Waiting } from '../ui/waiting';
import { formOf, type RatesForm } from './form';
import { ratesShape } from './shape';

/** `version` is the published one. */
export function RatesHistory({ version }: { version: number }) {
  const { found, problem, retry } = useRead(listRateVersions);
  if (!version) return null;
  return (
    <section aria-labelledby="rates-history">
      <h2 id="rates-history">History</h2>
      {found ? null : <Waiting problem={problem} retry={retry} />}
      <ol className="things">
        {found?.versions.map((row) => (
          <li key={row.version}>
            <div className="site-version">
              {`Version ${row.version}, by ${row.published_by ?? 'a former colleague'}, `}
              <time dateTime={row.published_at}>{dateTime(row.published_at)}</time>
              <Changed version={row.version} />
            </div>
            {row.version === version ? <strong>In force</strong> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What a version changed since the one before it, the first since the sample. */
function Changed({ version }: { version: number }) {
  const { manager } = useAuth();
  async function read(): Promise<Change[]> {
    const [before, after] = await Promise.all([
      manager.withToken(readRateVersion, version - 1),
      manager.withToken(readRateVersion, version),
    ]);
    return changesOf(formOf(before.rates), formOf(after.rates));
  }
  return (
    <WhatChanged version={version} read={read}>
      {(changes) =>
        changes.length ? (
          <ul>
            {changes.map((change, nth) => (
              <li key={nth}>
                <Line of={change} />
              </li>
            ))}
          </ul>
        ) : (
          <p>{version === 1 ? 'Nothing: it is the sample.' : 'Nothing.'}</p>
        )
      }
    </WhatChanged>
  );
}

/** The most characters of a value that are shown. */
const maxText = 160;

type Entry = Record<string, unknown>;

/** What one version of the rates changed against another, in the words of the form. */
export function changesOf(before: RatesForm, after: RatesForm): Change[] {
  const found: Change[] = [];
  walk({ shape: ratesShape(after), places: [], before, after }, found);
  return found;
}

type Pair = { shape: Shape; places: string[]; before: unknown; after: unknown };

function walk({ shape, places, before, after }: Pair, found: Change[]) {
  if (shape.type === 'object') {
    for (const field of shape.fields ?? []) {
      const [one, other] = [before, after].map((of) => (of as Entry | undefined)?.[field.key]);
      walk({ shape: field, places: [...places, field.label], before: one, after: other }, found);
    }
  } else if (shape.type === 'list') walkList({ shape, places, before, after }, found);
  else if (textOf(before, shape) !== textOf(after, shape))
    found.push({ place: placeText(places), before: textOf(before, shape), after: textOf(after, shape) });
}

function walkList({ shape, places, before, after }: Pair, found: Change[]) {
  const [old, now] = [before, after].map((list) => (list ?? []) as Entry[]) as [Entry[], Entry[]];
  const place = placeText(places);
  for (const entry of now) {
    const earlier = old.find((one) => idOf(one) === idOf(entry));
    const title = entryTitle(entry, shape);
    if (!earlier) found.push({ place, before: null, after: title });
    else walk({ shape: shape.of as Shape, places: [...places, title], before: earlier, after: entry }, found);
  }
  for (const entry of old.filter((one) => !now.some((other) => idOf(other) === idOf(one))))
    found.push({ place, before: entryTitle(entry, shape), after: null });
}

/** What stays the same when the rest of an entry changes. */
function idOf({ key, state, city, title, under_hours: hours, over, ...entry }: Entry): string {
  const place = [state && entry.class, state, city].filter(Boolean).join();
  return String(key || place || title || (hours ?? over));
}

function textOf(value: unknown, shape: Shape): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  const text = choicesOf(shape).find((one) => one.value === value)?.label ?? String(value);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

const placeText = (places: string[]) => places.filter(Boolean).join(', ');
