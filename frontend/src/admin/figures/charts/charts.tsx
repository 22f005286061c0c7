// The drawings of a period, each with the table behind it.

import map from 'virtual:us-map';
import type { ReactNode } from 'react';
import picture from '../../../../generated/us-map.svg';
import type { Figures, FiguresTable } from '../../../api/figures';
import { dayText } from '../../offers/words';
import { numberOf, type Point, series, tableOf } from '../numbers';
import { NumbersTable } from '../numbers-table';
import { How } from '../period-choice';
import { hrefIn, ofDays, ofRequests, ofStates } from '../tables';
import { HeatMap, hourText, weekdays } from './heat-map';
import { type Line, LineChart } from './line-chart';
import { Readout, scale } from './readout';

type Props = { figures: Figures; query: string };

const steps = [
  ['views', 'Page views'],
  ['forms_begun', 'Forms begun'],
  ['asked', 'Asked'],
  ['answered', 'Answered'],
  ['offers_sent', 'Offers sent'],
  ['offers_accepted', 'Offers accepted'],
  ['won', 'Won'],
] as const;

export function Charts({ figures, query }: Props) {
  const [totals, days, before, hours, states] = (
    ['totals', 'days', 'days_before', 'hours', 'states'] as const
  ).map((key) => tableOf(figures, key)) as [
    FiguresTable,
    FiguresTable,
    FiguresTable,
    FiguresTable,
    FiguresTable,
  ];
  const line = (name: string, look: Line['look'], points: Point[]): Line => ({ name, look, points });
  const isByWeek = days.rows.length > 92;
  const each = isByWeek ? 'week' : 'day';
  const columnsOf = ({ key }: FiguresTable) => (key === 'states' ? ofRequests : undefined);
  const behind = (table: FiguresTable, caption: string, first: string, nameOf: (value: string) => string) => (
    <NumbersTable
      {...{ table, caption, first, nameOf, query }}
      columns={columnsOf(table)}
      hrefOf={hrefIn(figures, table === states ? ofStates : ofDays)}
    />
  );
  return (
    <>
      <Figure
        title="From a view to a won request"
        how="What was counted in this period at each step; each is counted by itself, so a request by phone has no view."
      >
        <Funnel
          steps={steps.map(([measure, name]) => ({
            name,
            number: numberOf(totals, measure, 'number') ?? 0,
          }))}
        />
      </Figure>
      <Figure
        title="Where they ask from"
        how="The state in the location of a request; messages have none."
        table={behind(states, 'Figures by state', 'State', stateName)}
      >
        <StateMap table={states} title="Asked by state" />
      </Figure>
      <Figure
        title={`Asked and answered, by ${each}`}
        how="Requests by the day of their receipt, and those of them that were answered by now."
        table={behind(days, 'Figures by day', 'Day', dayText)}
      >
        <LineChart
          title={`Asked and answered by ${each}`}
          lines={[
            line('Asked', 'main', series(days, 'asked')),
            line('Answered', 'second', series(days, 'answered')),
            line('Asked before', 'before', series(before, 'asked')),
          ]}
        />
      </Figure>
      <Figure
        title={`Page views, by ${each}`}
        how="Views of all pages, without programs and the office."
        table={behind(before, 'Figures of the period before, by day', 'Day', dayText)}
      >
        <LineChart
          title={`Page views by ${each}`}
          lines={[
            line('Views', 'main', series(days, 'views')),
            line('Views before', 'before', series(before, 'views')),
          ]}
        />
      </Figure>
      <Figure
        title="When customers ask"
        how="Requests by weekday and hour of their receipt, on the company’s clock."
        table={
          <NumbersTable
            table={hours}
            caption="Asked by weekday and hour"
            first="Day"
            query={query}
            nameOf={(day) => weekdays[Number(day)] ?? ''}
            headOf={(hour) => hourText(Number(hour))}
          />
        }
      >
        <HeatMap table={hours} title="Asked by weekday and hour" />
      </Figure>
    </>
  );
}

type FigureProps = { id?: string; title: string; how: string; table?: ReactNode; children?: ReactNode };

/** A heading, a drawing if there is one, and the table behind it, folded. */
export function Figure(props: FigureProps) {
  return (
    <section id={props.id} className="figure" aria-label={props.title}>
      <h2>
        {props.title} <How of={props.title} text={props.how} />
      </h2>
      {props.children}
      {props.table ? (
        <details className="behind">
          <summary aria-label={`Table: ${props.title}`}>Table</summary>
          {props.table}
        </details>
      ) : null}
    </section>
  );
}

// From views to won requests: one bar a step, as long as its share of the longest.

type FunnelStep = { name: string; number: number };

/** The percentage of the step before, if it has more. */
function shareOf(step: FunnelStep, previous: FunnelStep | undefined): string {
  if (!previous || previous.number < step.number || previous.number === 0) return '';
  const share = (step.number / previous.number) * 100;
  return `${share >= 10 ? Math.round(share) : Math.round(share * 10) / 10}% of the step before`;
}

function Funnel({ steps }: { steps: FunnelStep[] }) {
  // Views are many times the rest: the square root keeps the short bars apart.
  const length = scale(Math.sqrt(Math.max(...steps.map(({ number }) => number))), [0, 100]);
  return (
    <ol className="funnel">
      {steps.map((step, index) => (
        <li key={step.name}>
          <span className="funnel-name">{step.name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect className="funnel-bar" width={length(Math.sqrt(step.number))} height={10} />
          </svg>
          <b>{step.number.toLocaleString('en-US')}</b>
          <span className="muted funnel-share">{shareOf(step, steps[index - 1])}</span>
        </li>
      ))}
    </ol>
  );
}

/** The map of the states: the darker, the more asked from there. */
function StateMap({ table, title }: { table: FiguresTable; title: string }) {
  const asked = (code: string) => numberOf(table, code, 'asked') ?? 0;
  const most = Math.max(1, ...map.states.map(({ code }) => asked(code)));
  return (
    <div className="chart state-map">
      <Readout texts={map.states.map(({ code, name }) => `${name}: ${asked(code)}`)} title={title}>
        {(shown) => (
          <svg viewBox={`0 0 ${map.width} ${map.height}`} role="img" aria-label={title}>
            {map.states.map(({ code }, at) => (
              <use
                key={code}
                href={`${picture}#${code}`}
                data-at={at}
                className={asked(code) / most > 0.5 ? 'state-dark' : undefined}
                style={{ fill: at === shown ? 'var(--amber)' : inkOf(asked(code) / most) }}
              />
            ))}
          </svg>
        )}
      </Readout>
    </div>
  );
}

/** The color of a share of the highest number; that of paper for none. */
const inkOf = (share: number) =>
  share ? `color-mix(in srgb, var(--blue) ${Math.round(12 + 88 * share)}%, var(--paper))` : 'var(--paper)';

/** The name of a state by its code. */
function stateName(code: string): string {
  return map.states.find((state) => state.code === code)?.name ?? 'Unknown';
}
