// The page of a state, rendered from that state's data.

import loaders, { type StateFacts } from 'virtual:states';
import stats from '@seeds/site/company.json?in=stats&pick=value,label';
import { company } from '../company';
import { type Condition, holds, licenseOf } from '../content/conditions';
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

export default function StatePage(props: PageProps) {
  const state = loadedStates.get(props.params.slug ?? '');
  if (!state) return <NotFound {...props} />;
  return (
    <>
      <Hero state={state} />
      <Reasons state={state} />
      <License state={state} />
      <FireWatch state={state} />
      <CitiesAndServices state={state} />
      <CallToAction state={state} />
    </>
  );
}

type Props = { state: StateFacts };

function Hero({ state }: Props) {
  const { name, code, intro, outline } = state;
  const { number } = licenseOf(code);
  return (
    <DarkBand picture={<StateOutline outline={outline} name={name} />} footer={<Stats of={statsOf(state)} />}>
      <p className="log-line">
        {number ? <span data-if={`company.licenses.${code}`}>{`License ${number}`}</span> : null}
        <span>{code}</span>
        <span>{state.time_text}</span>
      </p>
      <h1>{`Security\u00a0guards in ${name}`}</h1>
      <p className="lead">{intro}</p>
      <CallAndQuote label="Get Free Quote" />
    </DarkBand>
  );
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
    { value: `${clients}`, label: 'clients served', condition: own },
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
const companyFigures = ['client locations today', 'years in business'].flatMap((label) =>
  stats
    .filter((one) => one.label === label)
    .map(({ value }) => ({ value, label, condition: '!company.samples' as const })),
);

function Reasons({ state }: Props) {
  return (
    <Section id="why" kicker="Why choose us" title={`Why clients in ${state.name} choose us`}>
      <div className="thirds">
        <Card title={`Typical posts in ${state.name}`}>
          <p>{state.work}</p>
        </Card>
        <Card title={state.season.title}>
          <p>{state.season.text}</p>
        </Card>
        <Card title={state.borders ? 'Backup from next door' : 'Officers who live there'}>
          <p>{nearby(state)}</p>
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
    ? `When an emergency takes more officers than live nearby, we bring in ${officers} from neighboring states: ${states}.`
    : `${name} borders no other state, so officers live there. When an emergency takes more, we fly in ${officers} from ${states}.`;
}

function sentence(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function License({ state: { name, code, licensing } }: Props) {
  const { number, holder, expires } = licenseOf(code);
  return (
    <Section id="license" kicker="Licensing" title={`Who licenses guards in ${name}`} background="mist">
      <dl className="facts thirds">
        {number ? (
          <div data-if={`company.licenses.${code}`}>
            <dt>{`Our license in ${name}`}</dt>
            <dd>
              <strong>{number}</strong>
            </dd>
            <dd>{`Held by ${holder}`}</dd>
            {expires ? (
              <dd data-if={`company.license_expires.${code}`}>{`Valid through ${expires}`}</dd>
            ) : null}
          </div>
        ) : null}
        <div>
          <dt>{licensing.statewide ? 'Licensing authority' : 'Who decides'}</dt>
          <dd>
            <strong>{licensing.authority}</strong>
          </dd>
          <dd>{licensing.text}</dd>
          {licensing.lookup ? (
            <dd>
              <a href={licensing.lookup}>{`Look up a license at ${hostOf(licensing.lookup)}`}</a>
            </dd>
          ) : null}
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
      </dl>
    </Section>
  );
}

const fireRules = {
  ifc: 'When a required alarm or sprinkler system is out of service, tell the fire department at once. The fire code official may order the building emptied or an approved fire watch (section 901.7 of the International Fire Code). The code names no hours; many officials use 4 hours for an alarm and 10 hours for sprinklers in any 24.',
  nfpa: 'When a required fire alarm is out of service for more than 4 hours in any 24, or sprinklers for more than 10, the building needs an approved fire watch or has to be emptied (NFPA 101 and NFPA 25). Tell the fire department at once; the fire marshal orders the watch and decides what is approved.',
  local:
    'The fire marshal of the city or county orders it; ask which code applies at your address. As a rule, a watch starts when a fire alarm is out for more than 4 hours or sprinklers for more than 10 in any 24; many officials want it sooner.',
};

/** Who orders a fire watch, and what its log shows. */
function FireWatch({ state: { name, fire } }: Props) {
  return (
    <Section id="fire-watch" kicker="Fire watch" title={`When you need a fire watch in ${name}`}>
      <dl className="facts thirds">
        <div>
          <dt>Who orders it, and when</dt>
          <dd>{fireRules[fire.basis as keyof typeof fireRules]}</dd>
          <dd className="muted">{`Code in force: ${fire.code}.`}</dd>
        </div>
        <div>
          <dt>What the fire marshal wants logged</dt>
          <dd>
            The date, the system that is out, the guard’s name, the start and end of every round, the area
            walked, each hazard and how it was fixed, and any call to the fire department. The log stays on
            site until the system is back, and you keep a copy.
          </dd>
        </div>
        <div>
          <dt>How soon we can start</dt>
          <dd>
            {`A guard is on site ${company.promise_arrival} after your call. For a remote site, the dispatcher tells you the drive time before you decide. `}
            <a href="/fire-watch">What a fire watch includes</a>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

function hostOf(url: string): string {
  return (url.split('/')[2] ?? url).replace('www.', '');
}

function CitiesAndServices({ state: { name, cities, borders, nearest } }: Props) {
  return (
    <section className="band" aria-label="Places and services">
      <div className="column thirds">
        <div>
          <h2 className="list-title">{`Cities in ${name}`}</h2>
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
      text={`On site in ${company.promise_arrival} in an emergency, in ${company.promise_start} for scheduled work. We answer written requests within ${company.promise_answer}.`}
      label="Get Free Quote"
    />
  );
}
