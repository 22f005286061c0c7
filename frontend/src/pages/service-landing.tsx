// The five service pages: the same sections with the texts, scene and sample record of each service
// (seeds/site/services.json).
import { company } from '../company';
import { pages, type ServicePage } from '../content/services';
import type { PageProps } from '../routes';
import { ScenePicture } from '../scenes/picture';
import { Scene } from '../scenes/scene';
import { CallAndQuote } from '../sections/call-and-quote';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { SampleRecord } from '../sections/sample-record';
import { Section } from '../sections/section';
import { Checklist } from '../ui/checklist';
import { marked } from '../ui/marked';
import NotFound from './not-found';

export default function ServiceLanding(props: PageProps) {
  const service = pages.find(({ key }) => key === props.page.key);
  if (!service) return <NotFound {...props} />;
  return (
    <>
      <Hero service={service} />
      <Features service={service} />
      <SampleRecord {...service.sample_record} />
      <Included service={service} />
      <Questions service={service} />
      <BuyerChecklist service={service} />
      <Related service={service} />
      <CallToAction service={service} />
    </>
  );
}

type Props = { service: ServicePage };

const quoteLink = ({ quote }: ServicePage) => `/quote?service=${quote}`;

function Hero({ service }: Props) {
  return (
    <DarkBand picture={<Scene name={service.scene} />}>
      <p className="log-line">
        <span>{service.kicker}</span>
      </p>
      <h1>{service.heading}</h1>
      <p className="lead">{service.lead}</p>
      <p className="muted">{service.response}</p>
      <CallAndQuote quote={quoteLink(service)} label="Get a Free Quote" />
    </DarkBand>
  );
}

function Features({ service }: Props) {
  return (
    <section className="band" aria-label="How we work">
      <ul className="column split features plain-list">
        {service.features.map(({ title, text }) => (
          <li key={title}>
            <h2 className="feature-title">{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Included({ service }: Props) {
  return (
    <section className="band" aria-label="What is included">
      <div className="column split">
        {service.lists.map(({ heading, items }) => (
          <div key={heading}>
            <h2 className="list-title">{heading}</h2>
            <Checklist items={items} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Questions({ service: { key, questions } }: Props) {
  return (
    <Section id={`${key}-when`} kicker="Good to know" title={questions.heading} background="mist">
      <dl className="split questions">
        {questions.items.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{marked(text)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function BuyerChecklist({ service: { key, checklist, industries } }: Props) {
  return (
    <Section id={`${key}-checklist`} kicker="Checklist" title={checklist.heading}>
      <div className="buyer-checklist">
        <ol className="steps">
          {checklist.items.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
        <div>
          <h3>Who we serve</h3>
          <ul className="plain-list ruled">
            {industries.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </div>
      </div>
    </Section>
  );
}

/** The two services most often combined with this one. */
function Related({ service }: Props) {
  const related = service.related.flatMap((key) => pages.filter((page) => page.key === key));
  return (
    <section className="band band-mist" aria-labelledby="related">
      <div className="column">
        <h2 id="related" className="list-title">
          Often combined with
        </h2>
        <ul className="related plain-list">
          {related.map(({ path, heading, scene, kicker }) => (
            <li key={path}>
              <ScenePicture name={scene} />
              <p className="related-text">
                <span className="muted">{kicker}</span>
                <a href={path}>{heading}</a>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function CallToAction({ service }: Props) {
  const { heading, text } = service.action;
  return (
    <NextStep title={heading} text={text} quote={quoteLink(service)} label="Get a Free Quote">
      <p className="after-actions muted">
        {`${company.name} is licensed state by state. `}
        <a href="/licensing">Check the license in your state</a>.
      </p>
    </NextStep>
  );
}
