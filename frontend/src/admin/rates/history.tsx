// Who published rates, when, and what each version changed.
import { useEffect, useState } from 'react';
import { listRateVersions, type RateVersion, readRateVersion } from '../../api/offers';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { type Change, Line } from '../site/changes';
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

/** What a version changed since the one before it, the first since the sample; read when opened. */
function Changed({ version }: { version: number }) {
  const { manager } = useAuth();
  const [changes, setChanges] = useState<Change[]>();
  const [problem, setProblem] = useState('');
  async function read() {
    try {
      const [before, after] = await Promise.all(
        [version - 1, version].map((one) => manager.withToken(readRateVersion, one)),
      );
      if (before && after) setChanges(changesOf(formOf(before.rates), formOf(after.rates)));
    } catch (error) {
      setProblem(errorMessage(error));
    }
  }
  return (
    <details
      className="site-folded"
      onToggle={(event) => {
        if (event.currentTarget.open && !changes) read();
      }}
    >
      <summary aria-label={`What changed in version ${version}`}>What changed</summary>
      {changes ? null : <p role="status">{problem || 'Loading'}</p>}
      {changes?.length === 0 ? <p>{version === 1 ? 'Nothing: it is the sample.' : 'Nothing.'}</p> : null}
      <ul>
        {changes?.map((change, nth) => (
          <li key={nth}>
            <Line of={change} />
          </li>
        ))}
      </ul>
    </details>
  );
}
