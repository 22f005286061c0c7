// The FAQ. One answer is open at a time (`<details name>`).
import { company } from '../../company';
import { faqs } from '../../content/faqs';
import { Accordion } from '../../ui/accordion';
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
          <p className="minor-title">Another question?</p>
          <p>A dispatcher answers day and night.</p>
          <ButtonLink href={company.phone_href}>
            <Icon name="phone" />
            {`Call ${company.phone}`}
          </ButtonLink>
        </aside>
        <Accordion name="faq" items={items} />
      </div>
    </Section>
  );
}
