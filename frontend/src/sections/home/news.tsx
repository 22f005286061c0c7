// The expandable press releases and the media contact. The server removes samples from a public
// site by their `data-if` (docs/architecture.md, "Facts").
import { company } from '../../company';
import { sampleCondition, shownEntries } from '../../content/conditions';
import { longDate } from '../../content/long-date';
import { press } from '../../content/press';
import { Icon } from '../../ui/icon';
import { marked } from '../../ui/marked';
import { Section } from '../section';

export function News() {
  const { shown, condition } = shownEntries(press);
  if (!shown.length) return null;
  return (
    <Section id="news" kicker="Press Releases & News" title="Company news" condition={condition}>
      <div className="split press swipe">
        {shown.map(({ key, date, title, excerpt, content, sample }) => (
          <article key={key} data-if={sampleCondition({ sample })}>
            <time dateTime={date}>{longDate(date)}</time>
            <h3>{title}</h3>
            <p>{excerpt}</p>
            <details>
              <summary>
                <span>Read Full Release</span>
                <span className="visually-hidden">{`: ${title}`}</span>
                <Icon name="chevron" />
              </summary>
              {content.map((paragraph) => (
                <p key={paragraph}>{marked(paragraph)}</p>
              ))}
            </details>
          </article>
        ))}
      </div>
      <p>
        Media contact: <a href={`mailto:${company.media_email}`}>{company.media_email}</a>
      </p>
    </Section>
  );
}
