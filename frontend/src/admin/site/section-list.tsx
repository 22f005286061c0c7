// The sections of the content with their state, and a search over them.

import { type ReactNode, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { useCurrentInView } from '../ui/use-current-in-view';
import { shapes } from './shape';
import type { Site } from './use-site';

export function SectionList({ site, open }: { site: Site; open: string }) {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const shown = shapes.filter(({ title, hint }) => `${title} ${hint}`.toLowerCase().includes(wanted));
  return (
    <nav className="site-sections" aria-label="Sections">
      <label htmlFor="site-find" className="visually-hidden">
        Find a section
      </label>
      <input
        id="site-find"
        className="input"
        type="search"
        placeholder="Find a section"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <p role="status" className="field-hint">
        {shown.length ? '' : 'No section has these words.'}
      </p>
      <ul className="plain-list" ref={useCurrentInView<HTMLUListElement>()}>
        {shown.map(({ key, title }) => (
          <li key={key}>
            <SectionLink section={key} current={key === open}>
              {`${title}${markOf(site, key)}`}
            </SectionLink>
            {samplesIn(valueIn(site, key)) ? <span className="site-sample">sample</span> : null}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What was typed for a section, or what is stored. */
export function valueIn({ edits, content }: Site, key: string): unknown {
  return edits[key]?.value ?? content?.sections.find((one) => one.key === key)?.value;
}

function markOf({ edits, content }: Site, key: string): string {
  if (key in edits) return ' (not saved)';
  const section = content?.sections.find((one) => one.key === key);
  if (section?.schedule && !section.schedule.refused) return ' (scheduled)';
  return section?.draft ? ' (draft)' : '';
}

/** Whether a value has an entry that is marked as a sample. */
export function samplesIn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ((value as { sample?: unknown }).sample === true) return true;
  return Object.values(value).some(samplesIn);
}

type Props = {
  section: string;
  /** The place of a field, as a JSON pointer. */
  place?: string;
  current?: boolean;
  children: ReactNode;
};

/** A link to a section of the content, or to a field of it. */
export function SectionLink({ section, place, current, children }: Props) {
  const href = `/admin/site?${new URLSearchParams({ section, ...(place ? { place } : {}) })}`;
  return (
    <a
      href={href}
      aria-current={current ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(href);
      }}
    >
      {children}
    </a>
  );
}
