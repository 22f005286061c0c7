// Who published what and when, and the step back.
import { Button } from '../../ui/button';
import { titleOf } from './shape';
import type { Site } from './use-site';

const reasons: Record<string, string> = {
  publish: 'Published',
  import: 'Imported from files',
  back: 'Step back',
};

export function History({ site }: { site: Site }) {
  const { versions, busy, content } = site;
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      {versions.length ? null : <p>The site is as shipped.</p>}
      <ol className="things">
        {versions.map(({ version, at, by, reason, sections }) => (
          <li key={version}>
            <span>
              {`Version ${version}. ${reasons[reason] ?? reason} by ${by ?? 'the command line'}, `}
              <time dateTime={at}>{new Date(at).toLocaleString('en-US')}</time>
              <span className="muted">
                {sections.length
                  ? `Differs from the shipped site: ${sections.map(titleOf).join(', ')}`
                  : 'As shipped'}
              </span>
            </span>
          </li>
        ))}
      </ol>
      {content && content.version > 0 ? (
        <div className="actions">
          <Button look="line" disabled={busy} onClick={site.stepBack}>
            {`Go back to version ${content.version - 1}`}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
