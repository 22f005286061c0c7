// The expandable press releases and the media contact.
import { company, fillPlaceholders } from '../company';
import { sampleCondition, shownEntries } from '../content/conditions';
import { longDate, press } from '../content/press';
import { Icon } from '../ui/icon';
import { SampleNote } from './sample-note';
import { Section } from './section';

export function News() {
  const { shown, condition } = shownEntries(press);
  if (!shown.length) return null;
  return (
    <Section id="news" time="03:30" kicker="Press Releases & News" title="Company news" condition={condition}>
      {shown.some(({ sample }) => sample) ? <SampleNote of="releases" /> : null}
      <div className="split press swipe">
        {shown.map(({ key, date, title, excerpt, content, sample }) => (
          <article key={key} data-if={sampleCondition({ sample })}>
            <time dateTime={date}>{longDate(date)}</time>
            <h3>{title}</h3>
            <p>{fillPlaceholders(excerpt)}</p>
            <details>
              <summary>
                <span>Read Full Release</span>
                <span className="visually-hidden">{`: ${title}`}</span>
                <Icon name="chevron" />
              </summary>
              {content.map((paragraph) => (
                <p key={paragraph}>{fillPlaceholders(paragraph)}</p>
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
