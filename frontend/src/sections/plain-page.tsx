// A page of plain reading: a heading, a lead, and paragraphs under headings. The legal pages are made of it.
import type { ReactNode } from 'react';

export function PlainPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <>
      <header className="page-hero page-hero-low band-ink">
        <div className="column">
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
        </div>
      </header>
      <div className="band">
        <div className="column prose">{children}</div>
      </div>
    </>
  );
}
