// The editor of the site's content: one section at a time, saved as a draft, previewed, published.
import states from '@seeds/site/states.json?pick=slug,name';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { History } from './history';
import { shapes, titleOf } from './shape';
import { ShapeField } from './shape-field';
import { type Site, useSite } from './use-site';

export function SiteEditor() {
  const site = useSite();
  const [key, setKey] = useState('company');
  const { content } = site;
  const shape = shapes.find((one) => one.key === key);
  const section = content?.sections.find((one) => one.key === key);
  return (
    <div className="account site-editor">
      <Heading>Site</Heading>
      {content ? <Steps site={site} /> : <p role="status">{site.alert ? '' : 'Loading'}</p>}
      <nav className="site-sections" aria-label="Sections">
        {shapes.map((one) => (
          <button
            key={one.key}
            type="button"
            aria-current={one.key === key ? 'true' : undefined}
            onClick={() => setKey(one.key)}
          >
            {`${one.title}${markOf(site, one.key)}`}
          </button>
        ))}
      </nav>
      <FormAlert text={site.alert} />
      {site.conflict ? <Conflict site={site} section={site.conflict} /> : null}
      {shape && section ? (
        <section aria-labelledby="section-title">
          <h2 id="section-title">{shape.title}</h2>
          <p className="muted">{shape.hint}</p>
          <ShapeField
            key={key}
            shape={shape}
            label=""
            value={key in site.edits ? site.edits[key] : section.value}
            path={[]}
            editing={{
              faults: faultsOf(site, key),
              change: (path, value) => site.change(key, section.value, path, value),
            }}
          />
          <div className="actions">
            <Button disabled={site.busy || !(key in site.edits)} onClick={() => site.save(key)}>
              Save draft
            </Button>
            {key in site.edits || section.draft ? (
              <Button look="line" disabled={site.busy} onClick={() => site.discard(key)}>
                Discard changes
              </Button>
            ) : null}
          </div>
        </section>
      ) : null}
      <History site={site} />
    </div>
  );
}

/** What is still to be filled, the preview, and publishing. */
function Steps({ site }: { site: Site }) {
  const { content, preview, busy } = site;
  const drafts = content?.sections.filter(({ draft }) => draft) ?? [];
  return (
    <section aria-labelledby="publish-title">
      <h2 id="publish-title">Publish</h2>
      {content?.to_fill.length ? (
        <>
          <p>To do before the site is public:</p>
          <ul>
            {content.to_fill.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      ) : null}
      <p>
        {drafts.length
          ? `Drafts: ${drafts.map(({ key, draft }) => `${titleOf(key)} (${draft?.by ?? 'somebody'})`).join(', ')}.`
          : 'There is no draft. Change a section below and save it.'}
      </p>
      <div className="actions">
        <Button look="line" disabled={busy || !drafts.length} onClick={site.makePreview}>
          Preview
        </Button>
        <Button disabled={busy || !drafts.length} onClick={site.publish}>
          Publish
        </Button>
      </div>
      {preview ? <PreviewLinks url={preview} /> : null}
    </section>
  );
}

const previewed = [
  ['/', 'Home'],
  ['/about', 'About'],
  ['/contact', 'Contact'],
  ['/quote', 'Quote'],
  ['/fire-watch', 'Fire watch'],
  ['/security-services', 'Security guards'],
  ['/mobile-patrol', 'Mobile patrol'],
  ['/surveillance', 'Surveillance'],
  ['/concierge', 'Concierge'],
  ['/licensing', 'Licensing'],
] as const;

const previewedStates = states.map(({ slug, name }) => [`/states/${slug}`, name] as const);

/** Links to the pages of the preview, in separate tabs. */
function PreviewLinks({ url }: { url: string }) {
  return (
    <>
      <p role="status">This preview lasts 15 minutes and ends when you sign out:</p>
      <PageLinks url={url} pages={previewed} />
      <details className="site-folded">
        <summary>States</summary>
        <PageLinks url={url} pages={previewedStates} />
      </details>
    </>
  );
}

function PageLinks({ url, pages }: { url: string; pages: readonly (readonly [string, string])[] }) {
  return (
    <ul className="site-preview">
      {pages.map(([path, name]) => (
        <li key={path}>
          <a href={`${url}?path=${path}`} target="_blank" rel="noreferrer">
            {name}
          </a>
        </li>
      ))}
    </ul>
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

function markOf({ edits, content }: Site, key: string): string {
  if (key in edits) return ' (not saved)';
  return content?.sections.find((one) => one.key === key)?.draft ? ' (draft)' : '';
}

/** The broken rules of a section by their places in it. */
function faultsOf({ faults }: Site, key: string): Record<string, string> {
  const own = Object.entries(faults).filter(([field]) => field.split('/')[0] === key);
  return Object.fromEntries(own.map(([field, message]) => [field.slice(key.length), message]));
}
