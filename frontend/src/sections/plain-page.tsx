// A text page, such as the legal pages.
import type { ReactNode } from 'react';
import { PageHead } from './page-head';

export function PlainPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <>
      <PageHead title={title} lead={lead} />
      <div className="band">
        <div className="column prose">{children}</div>
      </div>
    </>
  );
}
