// Who published rates, when, and what each version changed.
import { useEffect, useState } from 'react';
import { listRateVersions, type RateVersion, readRateVersion } from '../../api/offers';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { type Change, Line } from '../site/changes';
import { WhatChanged } from '../site/what-changed';
import { errorMessage } from '../ui/use-submit';
import { changesOf } from './changes';
import { formOf } from './form';

/** `version` is the published one: the list is read again when it changes. */
export function RatesHistory({ version }: { version: number }) {
  const { manager } = useAuth();
  const [versions, setVersions] = useState<RateVersion[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (!version) return;
    manager.withToken(listRateVersions).then(
      (found) => setVersions(found.versions),
      (error) => setProblem(errorMessage(error)),
    );
  }, [manager, version]);
  if (!version) return null;
  return (
    <section aria-labelledby="rates-history">
      <h2 id="rates-history">History</h2>
      {problem ? <p role="alert">{problem}</p> : null}
      <ol className="things">
        {versions.map((row) => (
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
