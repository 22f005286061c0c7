// A card with a border and an optional heading. Grids of cards are `.grid`.
import type { ReactNode } from 'react';

export function Card({
  title,
  children,
  as: Tag = 'article',
}: {
  title?: string;
  children: ReactNode;
  as?: 'article' | 'li' | 'div';
}) {
  return (
    <Tag className="card">
      {title ? <h3>{title}</h3> : null}
      {children}
    </Tag>
  );
}
