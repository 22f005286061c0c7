// The lower edge of the editor: what is saved, and the buttons of the open section.

import { useEffect, useRef, useState } from 'react';
import type { SiteSection } from '../../api/site';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { FormAlert } from '../ui/auth-card';
import { Conflict } from '../ui/confirm-button';
import type { Site } from './use-site';

type SaveBarProps = { site: Site; section: string; preview: { shown: boolean; show(): void } };

/** Stays at the lower edge of the screen: what is saved, and the buttons. */
export function SaveBar({ site, section: key, preview }: SaveBarProps) {
  const section = site.content?.sections.find((one) => one.key === key);
  const edited = key in site.edits;
  const { conflict } = site;
  const bar = useRef<HTMLDivElement>(null);
  // It covers no field that is typed in: a focus scrolls the field above it, however tall it is.
  useEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${(bar.current?.offsetHeight ?? 0) + 8}px`;
    });
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = '';
    };
  }, []);
  return (
    <>
      {section ? <Schedule key={key} site={site} section={section} /> : null}
      <div ref={bar} className="site-save">
        <FormAlert text={site.content ? site.alert : ''} />
        {conflict ? (
          <Conflict
            disabled={site.busy}
            settle={(mine) => (mine ? site.saveOver(conflict) : site.showTheirs(conflict))}
          />
        ) : null}
        <p role="status" className="muted">
          {edited ? site.unsaved || 'Saving…' : savedText(section?.draft?.at)}
        </p>
        <div className="actions">
          <Button look="line" disabled={site.busy} onClick={() => site.save(key)}>
            Save draft
          </Button>
          {edited || section?.draft ? (
            <Button look="line" disabled={site.busy} onClick={() => site.discard(key)}>
              Discard changes
            </Button>
          ) : null}
          <Button look="line" aria-pressed={preview.shown} onClick={preview.show}>
            Preview
          </Button>
        </div>
      </div>
    </>
  );
}

function savedText(at: string | undefined): string {
  return at ? `Draft saved ${dateTime(at)}.` : 'As published.';
}

/** Publication of a section at a time. */
function Schedule({ site, section }: { site: Site; section: SiteSection }) {
  const { key, draft, schedule } = section;
  const [at, setAt] = useState('');
  if (schedule) {
    const time = dateTime(schedule.at);
    return (
      <div className="site-schedule">
        <p role="status">
          {schedule.refused
            ? `It was not published ${time}: ${schedule.refused}. Mend it, and publish or schedule it again.`
            : `It will be published ${time} (${schedule.by ?? 'a former account'}).`}
        </p>
        <Button look="line" disabled={site.busy} onClick={() => site.schedule(key)}>
          Take off the schedule
        </Button>
      </div>
    );
  }
  if (!draft && !(key in site.edits)) return null;
  return (
    <details className="site-folded">
      <summary>Publish later</summary>
      <div className="site-schedule">
        <label htmlFor="site-at">Day and time, on this computer’s clock</label>
        <input
          id="site-at"
          className="input"
          type="datetime-local"
          value={at}
          onInput={(event) => setAt(event.currentTarget.value)}
        />
        <Button look="line" disabled={site.busy || !at} onClick={() => site.schedule(key, new Date(at))}>
          Schedule
        </Button>
      </div>
    </details>
  );
}
