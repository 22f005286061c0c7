// The ten service pages: the same sections with the texts, scene and sample record of each service
// (seeds/site/services.json).
import { company } from '../company';
import type { PageProps } from '../content/route-manifest';
import { pages, type ServicePage } from '../content/services';
import { ScenePicture } from '../scenes/picture';
import { Scene } from '../scenes/scene';
import { Beside } from '../sections/beside';
import { CallAndQuote } from '../sections/call-and-quote';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { Rows, Steps } from '../sections/rows';
import { SampleRecord } from '../sections/sample-record';
import { Checklist } from '../ui/checklist';
import { Stats } from '../ui/stats';
import NotFound from './not-found';
import '../styles/inner.css';
import '../styles/pages/service.css';

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
    <DarkBand picture={<Scene name={service.scene} />} footer={<Stats of={service.facts} />}>
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
    <section className="band" aria-labelledby="how">
      <h2 id="how" className="visually-hidden">
        How we work
      </h2>
      <ul className="column features plain-list">
        {service.features.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `forbidden`: its entries are marked with a cross. */
type Listed = ServicePage['lists'][number] & { forbidden?: boolean };

function Included({ service }: Props) {
  return (
    <section className="band" aria-labelledby="included">
      <h2 id="included" className="visually-hidden">
        What is included
      </h2>
      <div className={service.lists.length > 2 ? 'column thirds' : 'column split'}>
        {service.lists.map(({ heading, items, forbidden }: Listed) => (
          <div key={heading} className={forbidden ? 'card forbidden' : 'card'}>
            <h3 className="list-title">{heading}</h3>
            <Checklist items={items} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Questions({ service: { key, questions } }: Props) {
  return (
    <Beside id={`${key}-when`} kicker="Good to know" title={questions.heading} background="mist">
      <Rows of={questions.items} />
    </Beside>
  );
}

function BuyerChecklist({ service: { key, checklist, industries } }: Props) {
  return (
    <Beside id={`${key}-checklist`} kicker="Checklist" title={checklist.heading}>
      <Steps of={checklist.items} />
      <p className="muted">{`Who we serve: ${industries.join('\u00a0· ')}`}</p>
    </Beside>
  );
}

/** The services most often combined with this one, or all by kind of site. */
function Related({ service }: Props) {
  const related = service.related.flatMap((key) => pages.filter((page) => page.key === key));
  return (
    <section className="band band-mist" aria-labelledby="related">
      <div className="column">
        <h2 id="related" className="list-title">
          {service.related_heading}
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
      <p className="muted">
        {`${company.name} is licensed state by state. `}
        <a href="/licensing">Check the license in your state</a>.
      </p>
    </NextStep>
  );
}
