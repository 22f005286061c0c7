// The editor of the site's content: one section at a time, saved as a draft while it is typed,
// previewed beside the form, published.
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { Button } from '../../ui/button';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { History } from './history';
import { PreviewPane, pageOf } from './preview-pane';
import { draftsOf, PublishDialog } from './publish-dialog';
import { Schedule } from './schedule';
import { shapes, titleOf } from './shape';
import { ShapeField } from './shape-field';
import { type Site, useSite } from './use-site';
import { useWide } from './use-wide';

export function SiteEditor({ search }: { search: string }) {
  const site = useSite();
  const wide = useWide();
  const [asked, setAsked] = useState<boolean>();
  const [open, setOpen] = useState({ key: '', entry: 0 });
  const { content } = site;
  const named = new URLSearchParams(search).get('section');
  const shape = shapes.find(({ key }) => key === named) ?? shapes[0];
  const key = shape?.key ?? '';
  const value = valueIn(site, key);
  const previewed = asked ?? wide;
  return (
    <div className={previewed && wide ? 'account site-editor site-split' : 'account site-editor'}>
      <div className="site-form">
        <Heading>Site</Heading>
        {content ? <Steps site={site} /> : <p role="status">{site.alert ? '' : 'Loading'}</p>}
        <nav className="site-sections" aria-label="Sections">
          {shapes.map((one) => (
            <a
              key={one.key}
              href={`/admin/site?section=${one.key}`}
              aria-current={one.key === key ? 'true' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                navigate(`/admin/site?section=${one.key}`);
              }}
            >
              {`${one.title}${markOf(site, one.key)}`}
            </a>
          ))}
        </nav>
        {shape && content ? (
          <section aria-labelledby="section-title" className="site-section">
            <h2 id="section-title">{shape.title}</h2>
            <p className="muted">{shape.hint}</p>
            <ShapeField
              key={key}
              shape={shape}
              label=""
              value={value}
              path={[]}
              editing={{
                faults: faultsOf(site, key),
                change: (path, next) => site.change(key, value, path, next),
                opened: (path) => {
                  const entry = path.find((step) => typeof step === 'number');
                  if (typeof entry === 'number' && path[0] !== 'cards') setOpen({ key, entry });
                },
              }}
            />
            <SaveBar
              site={site}
              section={key}
              preview={{ shown: previewed, show: () => setAsked(!previewed) }}
            />
          </section>
        ) : null}
        {previewed && !wide ? <Preview site={site} section={key} open={open} /> : null}
        <History site={site} />
      </div>
      {previewed && wide ? <Preview site={site} section={key} open={open} /> : null}
    </div>
  );
}

function Preview(props: { site: Site; section: string; open: { key: string; entry: number } }) {
  const { site, section, open } = props;
  const drafts = site.content?.sections.map(({ draft }) => draft?.number ?? 0);
  const entry = open.key === section ? open.entry : 0;
  return (
    <PreviewPane
      of={`${site.content?.version} ${drafts?.join(' ')}`}
      page={pageOf(section, valueIn(site, section), entry)}
    />
  );
}

type SaveBarProps = { site: Site; section: string; preview: { shown: boolean; show(): void } };

/** Stays at the lower edge of the screen: what is saved, and the buttons. */
function SaveBar({ site, section: key, preview }: SaveBarProps) {
  const section = site.content?.sections.find((one) => one.key === key);
  const edited = key in site.edits;
  return (
    <div className="site-save">
      <FormAlert text={site.alert} />
      {site.conflict ? <Conflict site={site} section={site.conflict} /> : null}
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
  return at ? `Draft saved ${new Date(at).toLocaleTimeString('en-US')}.` : 'As published.';
}

/** What is still to be filled, and publishing. */
function Steps({ site }: { site: Site }) {
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
        <details className="site-folded" open={content.to_fill.some((text) => text.includes('expired'))}>
          <summary>{`To do before the site is public: ${content.to_fill.length}`}</summary>
          <ul>
            {content.to_fill.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      ) : null}
      <p>
        {drafts.length
          ? `Drafts: ${drafts.map(({ key, draft }) => `${titleOf(key)} (${draft?.by ?? 'somebody'})`).join(', ')}.`
          : 'There is no draft. Change a section below; it is saved as you type.'}
      </p>
      <div className="actions">
        <Button
          disabled={busy || !ready}
          onClick={async () => {
            await site.saveAll();
            setAsking(true);
          }}
        >
          Publish
        </Button>
      </div>
      {asking ? <PublishDialog site={site} close={() => setAsking(false)} /> : null}
    </section>
  );
}

/** Two people have edited the same section. */
function Conflict({ site, section }: { site: Site; section: string }) {
  return (
    <div className="actions">
      <Button look="line" disabled={site.busy} onClick={() => site.saveOver(section)}>
        Save mine over it
      </Button>
      <Button look="line" disabled={site.busy} onClick={() => site.showTheirs(section)}>
        Drop mine and show theirs
      </Button>
    </div>
  );
}

function valueIn({ edits, content }: Site, key: string): unknown {
  return edits[key]?.value ?? content?.sections.find((one) => one.key === key)?.value;
}

function markOf({ edits, content }: Site, key: string): string {
  if (key in edits) return ' (not saved)';
  const section = content?.sections.find((one) => one.key === key);
  if (section?.schedule && !section.schedule.refused) return ' (scheduled)';
  return section?.draft ? ' (draft)' : '';
}

/** The broken rules of a section by their places in it. */
function faultsOf({ faults }: Site, key: string): Record<string, string> {
  const own = Object.entries(faults).filter(([field]) => field.split('/')[0] === key);
  return Object.fromEntries(own.map(([field, message]) => [field.slice(key.length), message]));
}
