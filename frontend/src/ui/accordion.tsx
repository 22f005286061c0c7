// An accordion with one open item at a time; `<details name>` needs no script.
import type { ReactNode } from 'react';
import { Icon } from './icon';

export function Accordion({ name, items }: { name: string; items: { title: string; body: ReactNode }[] }) {
  return (
    <div className="accordion">
      {items.map(({ title, body }) => (
        <details key={title} name={name}>
          <summary>
            <span>{title}</span>
            <Icon name="chevron" />
          </summary>
          <div className="accordion-body">{body}</div>
        </details>
      ))}
    </div>
  );
}
