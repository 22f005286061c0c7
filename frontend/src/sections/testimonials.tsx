// The testimonials.
import { testimonials } from '../content/clients';
import { sampleCondition, shownEntries } from '../content/conditions';
import { Portrait } from '../scenes/portrait';
import { SampleNote } from './sample-note';
import { Section } from './section';

export function Testimonials() {
  const { shown, condition } = shownEntries(testimonials);
  if (!shown.length) return null;
  return (
    <Section
      id="testimonials"
      time="23:00"
      kicker="Testimonials"
      title="What clients say"
      background="mist"
      condition={condition}
    >
      {shown.some(({ sample }) => sample) ? <SampleNote of="testimonials" /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on phones it scrolls, by keyboard too */}
      <section className="testimonials swipe" aria-label="Client quotes" tabIndex={0}>
        {shown.map(({ name, title, company, image, rating, text, sample }, nth) => (
          <figure key={name} className="testimonial" data-if={sampleCondition({ sample })}>
            <Rating of={rating} />
            <blockquote>
              <p>{text}</p>
            </blockquote>
            <figcaption>
              <Portrait name={image} nth={nth} />
              <strong>{name}</strong>
              <span>{`${title}, ${company}`}</span>
            </figcaption>
          </figure>
        ))}
      </section>
    </Section>
  );
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
