// The lower edge of the editor: what is saved, and the buttons of the open section.
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import { FormAlert } from '../ui/auth-card';
import { Conflict } from '../ui/conflict';
import { Schedule } from './schedule';
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
        <Button disabled={site.busy} onClick={() => site.save(key)}>
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
      {section ? <Schedule key={key} site={site} section={section} /> : null}
    </div>
  );
}

function savedText(at: string | undefined): string {
  return at ? `Draft saved ${dateTime(at)}.` : 'As published.';
}
