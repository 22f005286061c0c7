// The preview beside the form: the pages with all saved drafts, in a frame that is loaded again
// after each save.
import manifest from '@seeds/site/pages.json?pick=key,path,menu';
import states from '@seeds/site/states.json?pick=slug,name,code';
import { useEffect, useMemo, useRef, useState } from 'react';
import { previewPublished, previewSite } from '../../api/site';
import { Button } from '../../ui/button';
import { type Option, Options } from '../ui/choice';
import { usePreview } from './use-preview';

/** The pages with one address by what the menu calls them, then the states. */
const pages = [
  ...manifest.flatMap(({ path, menu }): Option[] => (path && menu ? [[path, menu]] : [])),
  ...states.map(({ slug, name }): Option => [`/states/${slug}`, name]),
];

/**
 * `of` names the saved drafts: the preview is made again when it changes. `page` is shown first.
 */
export function PreviewPane({ of, page }: { of: string; page: string }) {
  const { frame, loaded, address, made, problem } = usePreview(previewSite, of, previewPublished);
  /** The path of the page in the frame: links in it lead to others. */
  const [at, setAt] = useState(page);
  /** Whether it is as narrow as on a phone. */
  const [isPhone, setPhone] = useState(false);

  const first = useRef(page);
  /** The page that has not come yet, with the id of the element to begin with. */
  const target = useRef('');
  const show = (path: string) => {
    first.current = path;
    target.current = path;
    setAt(path);
    frame.current?.contentWindow?.location.replace(addressIn(address, path));
  };
  const shown = useRef(show);
  shown.current = show;
  useEffect(() => shown.current(page), [page]);
  // The frame goes on by itself; another address begins it anew.
  const source = useMemo(() => address && addressIn(address, first.current), [address]);
  const path = at.split(/[#&]/)[0] ?? '/';
  const isKnown = pages.some(([known]) => known === path);
  return (
    <section className="site-pane" aria-label="Preview">
      <div className="site-pane-bar">
        <label htmlFor="site-pane-page">Preview of</label>
        <select
          id="site-pane-page"
          className="input"
          value={isKnown ? path : ''}
          onChange={(event) => show(event.currentTarget.value)}
        >
          {isKnown ? null : <option value="">Another page</option>}
          <Options of={pages} />
        </select>
        <Button look="line" aria-pressed={isPhone} onClick={() => setPhone(!isPhone)}>
          As on a phone
        </Button>
        {address ? (
          <a href={`${address}?path=${path}`} target="_blank" rel="noreferrer">
            Open in a tab
          </a>
        ) : null}
      </div>
      <p role="status">{problem || (made ? '' : 'Published page. The drafts follow.')}</p>
      {address ? (
        <iframe
          ref={frame}
          title="The page with the drafts"
          className={isPhone ? 'site-phone' : undefined}
          src={source}
          sandbox="allow-same-origin allow-popups"
          onLoad={() => {
            loaded();
            const search = frame.current?.contentWindow?.location.search ?? '';
            const came = new URLSearchParams(search).get('path') ?? path;
            const [wanted, id] = target.current.split('#');
            target.current = '';
            setAt(wanted || came);
            if (came === wanted) scrollTo(frame.current?.contentWindow, id);
            // The page before was loaded again, because the preview was made meanwhile.
            else if (wanted) frame.current?.contentWindow?.location.replace(addressIn(address, wanted));
          }}
        />
      ) : null}
    </section>
  );
}

const addressIn = (preview: string, path: string) => `${preview}?path=${path.split('#')[0]}`;

/**
 * Scrolls a page of the preview to the element of an id. A fragment of its address would scroll the
 * editor around it as well, away from the field that is typed in.
 */
function scrollTo(page: Window | null | undefined, id: string | undefined) {
  const element = id ? page?.document.getElementById(id) : null;
  if (!page || !element) return;
  const { scrollPaddingTop } = page.getComputedStyle(page.document.documentElement);
  const padding = Number.parseFloat(scrollPaddingTop) || 0;
  page.scrollBy(0, element.getBoundingClientRect().top - padding);
}

const pageOfSection: Record<string, string> = {
  facts: '/contact',
  licenses: '/licensing',
  services: '/fire-watch',
  proof: '/about#proof',
  insurance: '/insurance',
  prices: '/prices',
  careers: '/careers',
  states: '/states/alabama',
  faqs: '/#faq',
  clients: '/#clients',
  testimonials: '/#testimonials',
  press: '/#news',
};

/** The page that shows a section; of a list of pages, that of its open entry. */
export function pageOf(section: string, value: unknown, open: number): string {
  const list = section === 'services' ? (value as { pages?: unknown[] })?.pages : value;
  const entry = Array.isArray(list) ? (list[open] as { slug?: string; path?: string }) : undefined;
  if (section === 'states' && entry?.slug) return `/states/${entry.slug}`;
  if (section === 'services' && entry?.path) return entry.path;
  return pageOfSection[section] ?? '/';
}
