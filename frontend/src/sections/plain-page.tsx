// A text page, such as the legal pages.
import type { ReactNode } from 'react';
import '../styles/pages/prose.css';
import { PageHead } from './page-head';

type Props = { title: string; lead: string; scene?: string; children: ReactNode };

export function PlainPage({ children, ...head }: Props) {
  return (
    <>
      <PageHead {...head} />
      <div className="band">
        <div className="column prose">{children}</div>
      </div>
    </>
  );
}
