// The question before a publication: what will change, and who wrote it.
import { useEffect, useRef, useState } from 'react';
import { readSiteChanges } from '../../api/site';
import { Button } from '../../ui/button';
import { useRead } from '../session/use-read';
import { Changes } from './changes';
import { titleOf } from './shape';
import type { Site } from './use-site';

export function PublishDialog({ site, close }: { site: Site; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { found: changes, problem } = useRead(readSiteChanges);
  // What is published is what was shown: a draft that was saved after that is refused.
  const [drafts] = useState(() => draftsOf(site));
  useEffect(() => dialog.current?.showModal(), []);
  const left = Object.keys(site.edits);
  return (
    <dialog ref={dialog} className="help site-publish" aria-labelledby="publish-question" onClose={close}>
      <h2 id="publish-question">Publish these changes?</h2>
      {changes ? <Changes of={changes} /> : <p role="status">{problem ? '' : 'Loading'}</p>}
      {problem ? <p role="alert">{problem}</p> : null}
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
export function draftsOf({ content }: Site): Record<string, number> {
  const drafts = content?.sections.filter(({ draft, schedule }) => draft && !(schedule && !schedule.refused));
  return Object.fromEntries(drafts?.map(({ key, draft }) => [key, draft?.number ?? 0]) ?? []);
}
