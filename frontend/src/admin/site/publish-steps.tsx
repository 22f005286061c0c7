// What is still to be filled before the site is public, the drafts, and publishing them.
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button';
import { draftsOf, PublishDialog } from './publish-dialog';
import { SectionLink } from './section-link';
import { titleOf } from './shape';
import type { Site } from './use-site';

export function PublishSteps({ site }: { site: Site }) {
  const { content, busy } = site;
  const [asking, setAsking] = useState(false);
  const drafts = content?.sections.filter(({ draft }) => draft) ?? [];
  const ready = Object.keys(draftsOf(site)).length > 0 || Object.keys(site.edits).length > 0;
  useEffect(() => {
    if (asking && !Object.keys(draftsOf(site)).length) setAsking(false);
  }, [asking, site]);
  return (
    <section aria-labelledby="publish-title">
      <h2 id="publish-title">Publish</h2>
      {content?.to_fill.length ? (
        <details className="site-folded" open={content.to_fill.some(({ text }) => text.includes('expired'))}>
          <summary>{`To do before the site is public: ${content.to_fill.length}`}</summary>
          <ul className="site-to-fill">
            {content.to_fill.map(({ text, section, path }) => {
              const [, title = text, rest = ''] = /^(.+?)(:.*)$/s.exec(text) ?? [];
              return (
                <li key={text}>
                  <SectionLink section={section} place={path}>
                    {title}
                  </SectionLink>
                  {rest}
                </li>
              );
            })}
          </ul>
        </details>
      ) : null}
      <p>
        {drafts.length
          ? `Drafts: ${drafts.map(({ key, draft }) => `${titleOf(key)} (${draft?.by ?? 'a former colleague'})`).join(', ')}.`
          : 'There is no draft. Change a section; it is saved as you type.'}
      </p>
      <div className="actions">
        <Button
          disabled={busy || !ready}
          onClick={async () => {
            if (await site.saveAll()) setAsking(true);
          }}
        >
          Publish
        </Button>
      </div>
      {asking ? <PublishDialog site={site} close={() => setAsking(false)} /> : null}
    </section>
  );
}
