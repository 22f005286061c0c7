// Four expandable press releases and the media contact.
import { company, fillPlaceholders } from '../company';
import { longDate, press } from '../content/press';
import { Icon } from '../ui/icon';
import { Section } from './section';

export function News() {
  return (
    <Section id="news" time="03:30" kicker="Press Releases & News" title="Written down, dated and signed">
      <div className="split press">
        {press.map(({ key, date, title, excerpt, content }) => (
          <article key={key}>
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
      <p className="media">
        Media contact: <a href={`mailto:${company.media_email}`}>{company.media_email}</a>
      </p>
    </Section>
  );
}
