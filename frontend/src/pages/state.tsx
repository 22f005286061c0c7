// The page of a state, rendered from that state's data.

import loaders, { type StateFacts } from 'virtual:states';
import stats from '@seeds/site/company.json?in=stats&pick=value,label,on_states';
import { company } from '../company';
import { type Condition, holds, licenseOf } from '../content/conditions';
import type { PageProps } from '../content/route-manifest';
import { pages as services } from '../content/services';
import { StateOutline } from '../scenes/state-outline';
import { Beside } from '../sections/beside';
import { CallAndQuote } from '../sections/call-and-quote';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { Proof, proof } from '../sections/proof';
import { Figure, type Row, Rows } from '../sections/rows';
import { SampleNote } from '../sections/sample-note';
import { Section } from '../sections/section';
import { Card } from '../ui/card';
import { type Stat, Stats } from '../ui/stats';
import NotFound from './not-found';
import '../styles/inner.css';
import '../styles/pages/state.css';

const loadedStates = new Map<string, StateFacts>();

/** Loads the data of the state to render. */
export async function prepare({ slug = '' }: Record<string, string>) {
  const load = loaders[slug];
  if (load && !loadedStates.has(slug)) loadedStates.set(slug, (await load()).default);
}

export default function StatePage(props: PageProps) {
  const state = loadedStates.get(props.params.slug ?? '');
  if (!state) return <NotFound {...props} />;
  return (
    <>
      <SampleNote of={proof} />
      <Hero state={state} />
      <Reasons state={state} />
      <License state={state} />
      <FireWatch state={state} />
      <PlacesAndServices state={state} />
      <Proof license={ourLicense(state)} />
      <CallToAction state={state} />
    </>
  );
}

type Props = { state: StateFacts };

/** What decides first: how soon, under which license, and where. */
function Hero({ state }: Props) {
  const { name, outline, cities } = state;
  return (
    <DarkBand picture={<StateOutline outline={outline} name={name} />} footer={<Stats of={statsOf(state)} />}>
      <h1>{`Security\u00a0guards in ${name}`}</h1>
      <p className="lead">
        {`On site in ${company.promise_arrival} in an emergency, in ${company.promise_start} for scheduled work.`}
      </p>
      <Rows of={[...heroLicense(state), { title: 'Cities', text: sentence(cities) }]} look="sheet" />
      <CallAndQuote label="Get Free Quote" />
    </DarkBand>
  );
}

/** Our license, or who licenses guards. */
function heroLicense({ code, licensing }: StateFacts): Row[] {
  const { number } = licenseOf(code);
  const ours = {
    title: 'License',
    text: `License ${number}`,
    condition: `company.licenses.${code}`,
  } as const;
  const theirs = {
    title: licensing.statewide ? 'Guards licensed by' : 'Who decides',
    text: licensing.authority,
    condition: `!company.licenses.${code}`,
  } as const;
  return [...(number ? [ours] : []), theirs].filter(({ condition }) => holds(condition));
}

/**
 * The figures of specification section 2; the numbers are fixed for each state. Until the office
 * has confirmed them they are samples, and a public site shows the company's in their place.
 * "Licensed" is claimed only where the state licenses guard companies and our license has not
 * expired.
 */
function statsOf({ name, code, stats, licensing }: StateFacts): Stat[] {
  const { clients, years, coverage, confirmed } = stats as ConfirmedStats;
  const own = confirmed ? undefined : ('company.samples' as const);
  const figures: (Stat & { condition?: Condition | undefined })[] = [
    { value: `${clients}`, label: 'happy clients', condition: own },
    { value: `${years}`, label: `years serving ${name}`, condition: own },
    ...(confirmed ? [] : companyFigures),
    { value: coverage, label: 'coverage' },
  ];
  if (licensing.statewide) {
    figures.push(
      { value: '100%', label: 'licensed and insured', condition: `!company.expired.${code}` },
      { value: '100%', label: 'insured', condition: `company.expired.${code}` },
    );
  } else figures.push({ value: '100%', label: 'insured; no state license exists' });
  return figures.filter(({ condition }) => holds(condition));
}

type ConfirmedStats = StateFacts['stats'] & { confirmed?: boolean | null };

/** What a public site shows in place of a state's samples. */
const companyFigures = stats
  .filter(({ on_states }) => on_states)
  .map(({ value, label }) => ({ value, label, condition: '!company.samples' as const }));

function Reasons({ state }: Props) {
  return (
    <Section id="why" kicker="Why choose us" title={`Why clients in ${state.name} choose us`}>
      <div className="thirds">
        <Card title={state.borders ? 'Backup from next door' : 'Officers who live there'}>
          <p>{nearby(state)}</p>
        </Card>
        <Card title={`Typical posts in ${state.name}`}>
          <p>{state.work}</p>
        </Card>
        <Card title={state.season.title}>
          <p>{state.season.text}</p>
        </Card>
      </div>
    </Section>
  );
}

/** The text on where additional officers come from. */
function nearby({ name, borders, nearest, licensing }: StateFacts): string {
  const states = sentence(nearest.map((near) => near.name));
  const officers = licensing.statewide ? `${name}-licensed officers` : 'officers who meet your city’s rules';
  return borders
    ? `When an emergency takes more officers than we have nearby, we bring in ${officers} from neighboring states: ${states}.`
    : `${name} borders no other state, so our officers live there. When an emergency takes more, we fly in ${officers} from ${states}.`;
}

function sentence(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function License({ state: { name, code, licensing } }: Props) {
  const { number, holder, expires } = licenseOf(code);
  const ours: Row = {
    title: `Our license in ${name}`,
    condition: `company.licenses.${code}`,
    text: (
      <Figure of={number}>
        {`Held by ${holder}`}
        {expires ? (
          <span data-if={`company.license_expires.${code}`}>{`. Valid through ${expires}`}</span>
        ) : null}
      </Figure>
    ),
  };
  const authority = {
    title: licensing.statewide ? 'Licensing authority' : 'Who decides',
    text: (
      <Figure of={licensing.authority}>
        {licensing.text}
        {licensing.lookup ? (
          <>
            <br />
            <a href={licensing.lookup}>{`Look up a license at ${hostOf(licensing.lookup)}`}</a>
          </>
        ) : null}
      </Figure>
    ),
  };
  const needed = licensing.armed_permit === 'required';
  const armed = {
    title: 'Armed guards',
    text: (
      <Figure of={needed ? 'A separate permit is needed' : 'Ask us before you plan'}>
        {licensing.armed_text}
      </Figure>
    ),
  };
  return (
    <Beside id="license" kicker="Licensing" title={`Who licenses guards in ${name}`} background="mist">
      <Rows of={[...(number ? [ours] : []), authority, armed]} />
    </Beside>
  );
}

const fireRules = {
  ifc: 'When a required alarm or sprinkler system is out of service, tell the fire department at once. The fire code official may order an evacuation or an approved fire watch (section 901.7 of the International Fire Code). The code sets no hours; many officials use 4 hours for an alarm and 10 hours for sprinklers in any 24.',
  nfpa: 'When a required fire alarm is out of service for more than 4 hours in any 24, or sprinklers for more than 10, the building needs an approved fire watch or has to be evacuated (NFPA 101 and NFPA 25). Tell the fire department at once; the fire marshal orders the watch and decides what is approved.',
  local:
    'The fire marshal of the city or county orders it; ask which code applies at your address. As a rule, a watch starts when a fire alarm is out for more than 4 hours or sprinklers for more than 10 in any 24; many officials want it sooner.',
};

/** Who orders a fire watch, and what its log shows. */
function FireWatch({ state: { name, fire } }: Props) {
  const start = (
    <>
      {`A guard is on site ${company.promise_arrival} after your call. For a remote site, the dispatcher tells you the drive time before you decide. `}
      <a href="/fire-watch">What a fire watch includes</a>
    </>
  );
  const orders = (
    <>
      {fireRules[fire.basis as keyof typeof fireRules]}
      <span className="muted">{` Code in force: ${fire.code}.`}</span>
    </>
  );
  const logged =
    'The date, the system that is out, the guard’s name, the start and end of every round, the area walked, each hazard and how it was fixed, and any call to the fire department. The log stays on site until the system is back, and you keep a copy.';
  return (
    <Beside
      id="fire-watch"
      kicker="Fire watch"
      title={`When you need a fire watch in ${name}`}
      scene="fire-log"
    >
      <Rows
        of={[
          { title: 'How soon we can start', text: start },
          { title: 'Who orders it, and when', text: orders },
          { title: 'What the fire marshal wants logged', text: logged },
        ]}
      />
    </Beside>
  );
}

/** What is said of our license at the foot: its number, or where a customer sees it. */
function ourLicense({ name, code, licensing }: StateFacts): Row {
  const { number } = licenseOf(code);
  const without = `!company.licenses.${code}` as const;
  const later = licensing.statewide
    ? 'On your quote and in your agreement'
    : 'The state has no guard license; cities decide';
  return {
    title: `License in ${name}`,
    text: (
      <>
        {number ? <span data-if={`company.licenses.${code}`}>{number}</span> : null}
        {holds(without) ? (
          <span data-if={without}>
            {later}
            {licensing.statewide && holds('company.samples') ? (
              <span data-if="company.samples">{`, such as ${code} 0000000 (a sample)`}</span>
            ) : null}
          </span>
        ) : null}
      </>
    ),
  };
}

function hostOf(url: string): string {
  return (url.split('/')[2] ?? url).replace('www.', '');
}

function PlacesAndServices({ state: { name, intro, cities, time_text, borders, nearest } }: Props) {
  return (
    <section className="band band-mist" aria-label="Places and services">
      <div className="column places">
        <div>
          <h2 className="list-title">{`Services in ${name}`}</h2>
          <Links rows={services.map(({ path, heading }) => [path, heading])} />
        </div>
        <div>
          <h2 className="list-title">{`Where we work in ${name}`}</h2>
          <p>{intro}</p>
          <p>{`Cities: ${sentence(cities)}. ${time_text}.`}</p>
        </div>
        <div>
          <h2 className="list-title">{borders ? 'Neighboring states' : 'Nearest states, by air'}</h2>
          <Links rows={nearest.map((near) => [`/states/${near.slug}`, near.name])} />
        </div>
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
      title={`Need a guard in ${name}?`}
      text={`Call if it can’t wait. Otherwise, send us the address, the dates and the hours, and we’ll answer within ${company.promise_answer}.`}
      label="Get Free Quote"
    />
  );
}
