// The FAQ. One answer is open at a time (`<details name>`).
import { company } from '../../company';
import { faqs } from '../../content/faqs';
import { Accordion } from '../../ui/accordion';
import { marked } from '../../ui/marked';
import { Section } from '../section';

export function Faq() {
  const items = faqs.map(({ question, answer }) => ({ title: question, body: <p>{marked(answer)}</p> }));
  return (
    <Section id="faq" kicker="Questions" title="Frequently asked questions">
      <div className="faq">
        <p>
          Another question? Call us any time: <a href={company.phone_href}>{company.phone}</a>
        </p>
        <Accordion name="faq" items={items} />
      </div>
    </Section>
  );
}
