// Who published what and when, what it changed, and the way back to each version.
import { readSiteChanges, type SiteVersion } from '../../api/site';
import { dateTime } from '../requests/format';
import { useAuth } from '../session/provider';
import { ConfirmButton } from '../ui/confirm-button';
import { Changes, WhatChanged } from './changes';
import type { Site } from './use-site';

const reasons: Record<string, string> = {
  publish: 'Published',
  import: 'Imported from files',
  back: 'Went back',
};

export function History({ site }: { site: Site }) {
  const { versions, content } = site;
  const published = content?.version ?? 0;
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <p className="muted">
        {versions.length
          ? 'Go back publishes an earlier version again, as a new one. Your drafts are kept.'
          : 'The site is as shipped.'}
      </p>
      <ol className="things">
        {versions.map((row) => (
          <li key={row.version}>
            <Version row={row} />
            {row.version < published ? (
              <ConfirmButton
                name="Go back"
                of={`to version ${row.version}`}
                act={() => site.stepBack(row.version)}
              />
            ) : (
              <strong>Published now</strong>
            )}
          </li>
        ))}
        {published ? (
          <li>
            <span>The site as shipped</span>
            <ConfirmButton name="Go back" of="to the site as shipped" act={() => site.stepBack(0)} />
          </li>
        ) : null}
      </ol>
    </section>
  );
}

function Version({ row: { version, at, by, reason } }: { row: SiteVersion }) {
  const { manager } = useAuth();
  return (
    <div className="site-version">
      {`Version ${version}. ${reasons[reason] ?? reason} by ${by ?? 'the command line'}, `}
      <time dateTime={at}>{dateTime(at)}</time>
      <WhatChanged version={version} read={() => manager.withToken(readSiteChanges, version)}>
        {(changes) => (changes.sections.length ? <Changes of={changes} /> : <p>Nothing.</p>)}
      </WhatChanged>
    </div>
  );
}
