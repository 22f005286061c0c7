// One page for each of the 50 states: every word of it comes from that state's facts.
import loaders, { type StateFacts } from 'virtual:states';
import { company } from '../company';
import type { PageProps } from '../routes';
import { StateOutline } from '../scenes/state-outline';
import { ButtonLink } from '../ui/button';
import { Card } from '../ui/card';
import { Icon } from '../ui/icon';
import NotFound from './not-found';

const known = new Map<string, StateFacts>();

/** Fetches the one state that is about to be shown. */
export async function prepare({ slug = '' }: Record<string, string>) {
  const load = loaders[slug];
  if (load && !known.has(slug)) known.set(slug, (await load()).default);
}

export default function State(props: PageProps) {
  const state = known.get(props.params.slug ?? '');
  if (!state) return <NotFound {...props} />;
  return (
    <>
      <Hero state={state} />
      <Figures state={state} />
      <Reasons state={state} />
      <License state={state} />
      <Places state={state} />
      <Action state={state} />
    </>
  );
}

function Hero({ state }: { state: StateFacts }) {
  return (
    <section className="band band-ink hero-state">
      <div className="column split">
        <div>
          <p className="log-line">
            <span>{state.code}</span>
            <span>{state.time_text}</span>
          </p>
          <h1>{`Security guards in ${state.name}`}</h1>
          <p className="lead">{state.intro}</p>
          <div className="actions">
            <ButtonLink href={company.phone_href}>
              <Icon name="phone" />
              {`Call ${company.phone}`}
            </ButtonLink>
            <ButtonLink href="/quote" look="line">
              Get Free Quote
            </ButtonLink>
          </div>
        </div>
        <StateOutline outline={state.outline} name={state.name} />
      </div>
    </section>
  );
}

function Figures({ state: { stats, name } }: { state: StateFacts }) {
  const figures = [
    { value: `${stats.clients}`, label: `happy clients in ${name}` },
    { value: `${stats.years}`, label: 'years serving the state' },
    { value: stats.coverage, label: 'coverage' },
    { value: '100%', label: 'licensed and insured' },
  ];
  return (
    <section className="band-tight band-mist" aria-label="In figures">
      <dl className="column figures">
        {figures.map(({ value, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Reasons({ state }: { state: StateFacts }) {
  return (
    <section className="band">
      <div className="column">
        <h2>{`Why choose us in ${state.name}`}</h2>
        <div className="grid">
          <Card title="We know the posts">
            <p>{state.work}</p>
          </Card>
          <Card title={state.season.title}>
            <p>{state.season.text}</p>
          </Card>
          <Card title="Help from next door">
            <p>{nearby(state)}</p>
          </Card>
        </div>
      </div>
    </section>
  );
}

/** Where further officers come from, in one sentence. */
function nearby({ name, neighbors, cities }: StateFacts): string {
  const base = cities[0];
  if (!neighbors.length)
    return `${name} borders no other state, so every officer we send lives there. Our supervisors work from ${base}.`;
  const names = sentence(neighbors.map((near) => near.name));
  return `Supervisors work from ${base}. When one emergency takes more officers than live nearby, they come from ${names}, where their license allows the work.`;
}

function sentence(names: string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
