// The testimonials.
import { type Testimonial, testimonials } from '../../content/clients';
import { sampleCondition, shownEntries } from '../../content/conditions';
import { longDate } from '../../content/long-date';
import { Portrait } from '../../scenes/portrait';
import { Section } from '../section';

export function Testimonials() {
  const { shown, condition } = shownEntries(testimonials);
  if (!shown.length) return null;
  return (
    <Section
      id="testimonials"
      kicker="Testimonials"
      title="What clients say"
      background="mist"
      condition={condition}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on phones it scrolls, by keyboard too */}
      <section className="testimonials swipe" aria-label="Client quotes" tabIndex={0}>
        {shown.map((one) => (
          <figure key={one.name} className="testimonial" data-if={sampleCondition(one)}>
            {one.rating ? <Rating of={one.rating} /> : null}
            <blockquote>
              <p>{one.text}</p>
            </blockquote>
            <figcaption>
              <Portrait person={one} />
              <strong>{one.name}</strong>
              <span>{`${one.title}, ${one.company}`}</span>
              <Source of={one} />
            </figcaption>
          </figure>
        ))}
      </section>
    </Section>
  );
}

/** Where and when the review was published. */
function Source({ of: { source, date, link } }: { of: Testimonial }) {
  const text = [source, date ? longDate(date) : ''].filter(Boolean).join(', ');
  if (!text && !link) return null;
  return <span className="muted">{link ? <a href={link}>{text || 'Read the review'}</a> : text}</span>;
}

function Rating({ of }: { of: number }) {
  return (
    <svg
      className="rating"
      viewBox="0 0 120 24"
      width="100"
      height="20"
      role="img"
      aria-label={`Rated ${of} out of 5`}
    >
      {Array.from({ length: of }, (_, star) => (
        <path
          key={`star ${star + 1}`}
          transform={`translate(${star * 24})`}
          d="M12 3l2.7 5.8 6.3.7-4.7 4.2 1.3 6.3L12 16.9 6.4 20l1.3-6.3L3 9.5l6.3-.7z"
        />
      ))}
    </svg>
  );
}
