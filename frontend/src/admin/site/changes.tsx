// What a publication changes, section by section.

import { type ReactNode, useState } from 'react';
import type { SiteChanges } from '../../api/site';
import { dateTime } from '../requests/format';
import { useAttempt } from '../ui/use-attempt';
import { Waiting } from '../ui/waiting';
import { titleOf } from './shape';

type SectionChanges = SiteChanges['sections'][number];

export function Changes({ of }: { of: SiteChanges }) {
  return (
    <div className="site-changes">
      {of.sections.map((section) => (
        <Section key={section.key} of={section} />
      ))}
    </div>
  );
}

function Section({ of: { key, by, at, lines, more } }: { of: SectionChanges }) {
  return (
    <section>
      <h3>{titleOf(key)}</h3>
      {at ? <p className="muted">{`${by ?? 'Somebody'}, ${dateTime(at)}`}</p> : null}
      <ul>
        {lines.map((line, nth) => (
          <li key={nth}>
            <Line of={line} />
          </li>
        ))}
        {more ? <li>{`and ${more} more`}</li> : null}
      </ul>
    </section>
  );
}

/** A changed value: without `before` it was added, without `after` removed. */
export type Change = { place: string; before?: string | null; after?: string | null };

export function Line({ of }: { of: Change }) {
  const { place, before = null, after = null } = of;
  const where = place || 'The list';
  if (before === null && after === null) return <>{`${where}: the order has changed`}</>;
  return (
    <>
      {`${where}: `}
      {before === null ? 'added ' : <del>{before}</del>}
      {before !== null && after !== null ? ' is now ' : ''}
      {after === null ? ' removed' : <ins>{after}</ins>}
    </>
  );
}

type Props<T> = { version: number; read(): Promise<T>; children(changes: T): ReactNode };

/** What a version changed since the one before it, read when it is opened. */
export function WhatChanged<T>({ version, read, children }: Props<T>) {
  const [changes, setChanges] = useState<T>();
  const { alert, attempt } = useAttempt();
  const load = () => attempt(async () => setChanges(await read()));
  return (
    <details
      className="site-folded"
      onToggle={(event) => {
        if (event.currentTarget.open && !changes) load();
      }}
    >
      <summary aria-label={`What changed in version ${version}`}>What changed</summary>
      {changes ? children(changes) : <Waiting problem={alert} retry={load} />}
    </details>
  );
}
