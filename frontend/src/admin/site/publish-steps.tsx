// What is still to be filled before the site is public, the drafts, and publishing them.

import { useEffect, useRef, useState } from 'react';
import { readSiteChanges } from '../../api/site';
import { Button } from '../../ui/button';
import { useRead } from '../session/use-read';
import { Waiting } from '../ui/waiting';
import { Changes } from './changes';
import { SectionLink } from './section-list';
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

/** The question before a publication: what will change, and who wrote it. */
function PublishDialog({ site, close }: { site: Site; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { found: changes, problem, retry } = useRead(readSiteChanges);
  // What is published is what was shown: a draft that was saved after that is refused.
  const [drafts] = useState(() => draftsOf(site));
  useEffect(() => dialog.current?.showModal(), []);
  const left = Object.keys(site.edits);
  return (
    <dialog ref={dialog} className="help site-publish" aria-labelledby="publish-question" onClose={close}>
      <h2 id="publish-question">Publish these changes?</h2>
      {changes ? <Changes of={changes} /> : <Waiting problem={problem} retry={retry} />}
      {left.length ? (
        <p>{`Not included, because fields are not complete: ${left.map(titleOf).join(', ')}.`}</p>
      ) : null}
      <div className="actions">
        <Button
          disabled={!changes || site.busy}
          onClick={() => {
            dialog.current?.close();
            site.publish(drafts);
          }}
        >
          Publish now
        </Button>
        <Button look="line" onClick={() => dialog.current?.close()}>
          Cancel
        </Button>
      </div>
    </dialog>
  );
}

/** The drafts that are published: all that are not scheduled. */
function draftsOf({ content }: Site): Record<string, number> {
  const drafts = content?.sections.filter(({ draft, schedule }) => draft && !(schedule && !schedule.refused));
  return Object.fromEntries(drafts?.map(({ key, draft }) => [key, draft?.number ?? 0]) ?? []);
}
