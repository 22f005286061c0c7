// The FAQ. One answer is open at a time (`<details name>`).

import seed from '@seeds/site/faqs.json';
import type { ReactNode } from 'react';
import { company } from '../../company';
import { filled } from '../../content/filled';
import { ScenePicture } from '../../scenes/picture';
import { ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { marked } from '../../ui/marked';
import { Section } from '../section';

export function Faq() {
  const items = faqs.map(({ question, answer }) => ({ title: question, body: <p>{marked(answer)}</p> }));
  return (
    <Section id="faq" kicker="Questions" title="Frequently asked questions">
      <div className="faq">
        <aside className="emergency band-ink">
          <h3>Another question?</h3>
          <p>A dispatcher answers day and night.</p>
          <ButtonLink href={company.phone_href} wide>
            <Icon name="phone" />
            {`Call ${company.phone}`}
          </ButtonLink>
        </aside>
        <ScenePicture name="contact" />
        <Accordion name="faq" items={items} />
      </div>
    </Section>
  );
}

// The FAQ, from seeds/site/faqs.json. The server reads the same file for structured data.

const faqs = /* @__PURE__ */ filled(seed);

/** An accordion with one open item at a time; `<details name>` needs no script. */
function Accordion({ name, items }: { name: string; items: { title: string; body: ReactNode }[] }) {
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
