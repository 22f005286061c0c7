// The editor of the site's content: one section at a time, saved as a draft while it is typed,
// previewed beside the form, published.
import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { Heading } from '../ui/heading';
import { useWide } from '../ui/use-current-in-view';
import { Waiting } from '../ui/waiting';
import { History } from './history';
import { PreviewPane, pageOf } from './preview-pane';
import { PublishSteps } from './publish-steps';
import { SaveBar } from './save-bar';
import { SectionList, valueIn } from './section-list';
import { idAt, pointer, shapes } from './shape';
import { ShapeField } from './shape-field';
import { type Site, useSite } from './use-site';

export function SiteEditor({ search }: { search: string }) {
  const site = useSite();
  const wide = useWide();
  const [asked, setAsked] = useState<boolean>();
  const [open, setOpen] = useState({ key: '', entry: 0 });
  const { content } = site;
  const query = new URLSearchParams(search);
  const named = query.get('section');
  const sought = query.get('place') ?? '';
  const shape = shapes.find(({ key }) => key === named) ?? shapes[0];
  const key = shape?.key ?? '';
  const value = valueIn(site, key);
  const previewed = asked ?? wide;
  const form = useFirstFault(site.faults, key);
  useFocusAt(sought, key, content !== undefined);
  return (
    <div
      className={
        previewed && wide ? 'account site-editor site-content site-split' : 'account site-editor site-content'
      }
    >
      <div className="site-side">
        <Heading>Site</Heading>
        <SectionList site={site} open={key} />
        {content ? <PublishSteps site={site} /> : null}
      </div>
      <div className="site-form">
        {shape && content ? (
          <section ref={form} aria-labelledby="section-title" className="site-section">
            <h2 id="section-title">{shape.title}</h2>
            <p className="muted">{shape.hint}</p>
            {key === 'prices' ? (
              <p>
                Offers are made with <a href="/admin/rates">the rates</a>, not with what this page says.
              </p>
            ) : null}
            <ShapeField
              key={`${key} ${sought}`}
              shape={shape}
              label=""
              value={value}
              path={[]}
              editing={{
                faults: ofSection(site.faults, key),
                sought,
                refused: ofSection(site.refused, key),
                refuse: (path, why) => site.refuse(`${key}${pointer(path)}`, why),
                change: (path, next) => site.change(key, value, path, next),
                waitFor: site.waitFor,
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
        {content ? <History site={site} /> : <Waiting problem={site.alert} retry={site.reload} />}
      </div>
      {previewed && wide ? <Preview site={site} section={key} open={open} /> : null}
    </div>
  );
}

/** Opens the section with a broken rule, and moves the focus to the first field that breaks one. */
function useFirstFault(faults: Site['faults'], shown: string) {
  const form = useRef<HTMLElement>(null);
  useEffect(() => {
    const sections = Object.keys(faults).map((field) => field.split('/')[0]);
    const [first] = sections;
    if (!first) return;
    if (!sections.includes(shown)) navigate(`/admin/site?section=${first}`);
    else form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults, shown]);
  return form;
}

/** Moves the focus to the field at a place of the section once it is drawn. */
function useFocusAt(place: string, section: string, drawn: boolean) {
  useEffect(() => {
    if (place && drawn) document.getElementById(idAt(place))?.focus();
  }, [place, section, drawn]);
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

/** The messages of a section by their places in it. */
function ofSection(messages: Record<string, string>, key: string): Record<string, string> {
  const own = Object.entries(messages).filter(([field]) => field.split('/')[0] === key);
  return Object.fromEntries(own.map(([field, message]) => [field.slice(key.length), message]));
}
