// The page of a state, rendered from that state's data.
import loaders, { type StateFacts } from 'virtual:states';
import { company } from '../company';
import { pages as services } from '../content/services';
import type { PageProps } from '../routes';
import { StateOutline } from '../scenes/state-outline';
import { CallAndQuote } from '../sections/call-and-quote';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { Section } from '../sections/section';
import { Card } from '../ui/card';
import { type Stat, Stats } from '../ui/stats';
import NotFound from './not-found';

const loadedStates = new Map<string, StateFacts>();

/** Loads the data of the state to render. */
export async function prepare({ slug = '' }: Record<string, string>) {
  const load = loaders[slug];
  if (load && !loadedStates.has(slug)) loadedStates.set(slug, (await load()).default);
}

export default function State(props: PageProps) {
  const state = loadedStates.get(props.params.slug ?? '');
  if (!state) return <NotFound {...props} />;
  return (
    <>
      <Hero state={state} />
      <Reasons state={state} />
      <License state={state} />
      <CitiesAndServices state={state} />
      <CallToAction state={state} />
    </>
  );
}

type Props = { state: StateFacts };

function Hero({ state }: Props) {
  const { name, code, intro, outline, stats } = state;
  return (
    <DarkBand picture={<StateOutline outline={outline} name={name} />} footer={<Stats of={statsOf(stats)} />}>
      <p className="log-line">
        <span>{code}</span>
        <span>{state.time_text}</span>
      </p>
      <h1>{`Security\u00a0guards in ${name}`}</h1>
      <p className="lead">{intro}</p>
      <CallAndQuote label="Get Free Quote" />
    </DarkBand>
  );
}

/** The figures of specification section 2; the numbers are fixed for each state. */
function statsOf({ clients, years, coverage }: StateFacts['stats']): Stat[] {
  return [
    { value: `${clients}`, label: 'happy clients' },
    { value: `${years}`, label: 'years serving' },
    { value: coverage, label: 'coverage' },
    { value: '100%', label: 'licensed and insured' },
  ];
}

function Reasons({ state }: Props) {
  return (
    <Section id="why" kicker="Why choose us" title={`What we know about ${state.name}`}>
      <div className="thirds">
        <Card title="The posts we fill">
          <p>{state.work}</p>
        </Card>
        <Card title={state.season.title}>
          <p>{state.season.text}</p>
        </Card>
        <Card title={state.neighbors.length ? 'Help from next door' : 'Officers who live there'}>
          <p>{nearby(state)}</p>
        </Card>
      </div>
    </Section>
  );
}

/** The text on where additional officers come from. */
function nearby({ name, neighbors, cities: [base] }: StateFacts): string {
  if (!neighbors.length)
    return `${name} borders no other state: every officer we send lives there, and supervisors work from ${base}.`;
  return `Supervisors work from ${base}. When an emergency takes more officers than live nearby, they come from ${sentence(neighbors.map((near) => near.name))}, if their license holds in ${name}.`;
}

function sentence(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function License({ state: { name, code, licensing } }: Props) {
  const number = company.license(code);
  return (
    <Section id="license" kicker="The license" title={`Who licenses guards in ${name}`} background="mist">
      <dl className="facts thirds">
        <div>
          <dt>{licensing.statewide ? 'Licensing authority' : 'Who decides'}</dt>
          <dd>
            <strong>{licensing.authority}</strong>
          </dd>
          <dd>{licensing.text}</dd>
        </div>
        <div>
          <dt>Armed guards</dt>
          <dd>
            <strong>
              {licensing.armed_permit === 'required'
                ? 'A separate permit is needed'
                : 'Ask us before you plan'}
            </strong>
          </dd>
          <dd>{licensing.armed_text}</dd>
        </div>
        {number ? (
          <div data-if={`company.licenses.${code}`}>
            <dt>{`Our license in ${name}`}</dt>
            <dd>
              <strong>{number}</strong>
            </dd>
          </div>
        ) : null}
      </dl>
    </Section>
  );
}

function CitiesAndServices({ state: { name, cities, neighbors } }: Props) {
  return (
    <section className="band" aria-label="Places and services">
      <div className="column thirds">
        <div>
          <h2 className="list-title">Cities we serve, among them</h2>
          <ul className="plain-list ruled">
            {cities.map((city) => (
              <li key={city}>{city}</li>
            ))}
          </ul>
        </div>
        <div>
          <h2 className="list-title">{`Services in ${name}`}</h2>
          <Links rows={services.map(({ path, heading }) => [path, heading])} />
        </div>
        {neighbors.length ? (
          <div>
            <h2 className="list-title">Neighboring states</h2>
            <Links rows={neighbors.map((near) => [`/states/${near.slug}`, near.name])} />
          </div>
        ) : null}
      </div>
    </section>
  );
}

function Links({ rows }: { rows: [string, string][] }) {
  return (
    <ul className="plain-list ruled">
      {rows.map(([href, label]) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  );
}

function CallToAction({ state: { name } }: Props) {
  return (
    <NextStep
      title={`A guard in ${name}, tonight or next month`}
      text="Emergency posts are filled in 2 to 4 hours, scheduled ones in 24 to 48. Written requests are answered within 24 hours."
      label="Get Free Quote"
    />
  );
}
