// The page of figures: first what needs doing, then what was viewed, asked, answered and won in a
// period, with the one before.

import { downloadConversions, type Figures, type FiguresTable, readFigures } from '../../api/figures';
import type { System } from '../../api/system';
import { dateTime } from '../requests/format';
import { useRead } from '../session/use-read';
import { useSystem } from '../state/use-system';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { Waiting } from '../ui/waiting';
import { Cards } from './cards';
import { Charts, Figure } from './charts/charts';
import { columnOf, numberOf, numberText, series, tableOf } from './numbers';
import { NumbersTable, SaveButton } from './numbers-table';
import { PeriodChoice } from './period-choice';
import { hrefIn, tables } from './tables';
import { periodQuery, useToDo } from './use-figures';
import { type Days, groups } from './words';

export default function FiguresView({ search }: { search: string }) {
  const query = periodQuery(search);
  const { found: figures, busy, problem, retry } = useRead(readFigures, query);
  return (
    <div className="figures">
      <Heading>Figures</Heading>
      <ToDoList />
      <PeriodChoice query={query} figures={figures} />
      {figures ? <FormAlert text={problem} /> : <Waiting problem={problem} retry={retry} />}
      {figures ? (
        <div className="figures-body" aria-busy={busy}>
          <Headline figures={figures} />
          <div className="figures-cards">
            <Cards figures={figures} />
          </div>
          <div className="figures-charts">
            <Charts figures={figures} query={query} />
          </div>
          <div className="figures-tables">
            {tables.map(({ key, title, how, nameOf, hrefOf, columns }) => (
              <Figure
                key={key}
                id={key}
                title={title}
                how={how}
                table={
                  <NumbersTable
                    table={tableOf(figures, key)}
                    caption={title}
                    first={title.replace(/^.*by /i, '').replace(/^./, (first) => first.toUpperCase())}
                    query={query}
                    nameOf={nameOf}
                    hrefOf={hrefIn(figures, hrefOf)}
                    columns={columns}
                  />
                }
              />
            ))}
            {figures.has_conversions ? <Conversions query={query} /> : null}
          </div>
        </div>
      ) : null}
    </div>
  );
}

function Conversions({ query }: { query: string }) {
  return (
    <section aria-label="Conversions of ads">
      <h2>Conversions of ads</h2>
      <p className="card-how">
        A file for your advertiser: the click identifier, time and value of each offer accepted and request
        won in this period that came by an ad. Whoever gets it learns which clicks became orders; it has no
        name, address or number.
      </p>
      <SaveButton
        about="Conversions of ads"
        label="CSV"
        name="conversions.csv"
        read={(token) => downloadConversions(token, query)}
      />
    </section>
  );
}

/**
 * What needs doing, the most urgent first, each with a way to it, and when the last backup was
 * made.
 */
function ToDoList() {
  const { lines, problem, retry } = useToDo();
  const backup = backupText(useSystem());
  return (
    <section className="to-do" aria-labelledby="to-do-title">
      <h2 id="to-do-title">What needs doing</h2>
      {lines ? null : <Waiting problem={problem} retry={retry} />}
      {lines?.length === 0 ? <p className="to-do-none">Nothing waits for you.</p> : null}
      <ul>
        {lines?.map(({ text, path, urgent }) => (
          <li key={text} className={urgent ? 'urgent' : undefined}>
            {path ? <a href={path}>{text}</a> : text}
          </li>
        ))}
      </ul>
      {backup ? <p className="to-do-backup">{backup}</p> : null}
    </section>
  );
}

/** What has failed is one of the things to do. */
function backupText(system: System | undefined): string {
  const { backup, backup_proof: proof } = system ?? {};
  if (!backup?.ok) return '';
  const made = `Last backup: ${dateTime(backup.ran_at)}`;
  return proof?.ok ? `${made}; last restored to check it: ${dateTime(proof.ran_at)}.` : `${made}.`;
}

const measures = ['asked', 'answered', 'offers_accepted', 'won_monthly_cents'];

/**
 * What people look at first: four large numbers, each with its change and, where it is known by
 * day, its course.
 */
function Headline({ figures }: { figures: Figures }) {
  const totals = tableOf(figures, 'totals');
  const days = tableOf(figures, 'days');
  const period: Days = { from: figures.from, to: figures.to };
  const shown = groups.flatMap((group) => group.figures).filter(({ measure }) => measures.includes(measure));
  return (
    <ul className="headline" aria-label="At a glance">
      {shown.map(({ measure, name, href }) => {
        const [now, before] = [numberOf(totals, measure, 'number'), numberOf(totals, measure, 'before')];
        return (
          <li key={measure}>
            <a href={href(period)}>{name}</a>
            <b>{numberText(measure, now)}</b>
            <span className="muted">{changeText(measure, now, before)}</span>
            <Spark table={days} column={measure} />
          </li>
        );
      })}
    </ul>
  );
}

/** As `+3, 12 before`, or `as before`. */
function changeText(measure: string, now: number | null, before: number | null): string {
  if (now === null || before === null) return '';
  if (now === before) return 'as before';
  const sign = now > before ? '+' : '−';
  return `${sign}${numberText(measure, Math.abs(now - before))}, ${numberText(measure, before)} before`;
}

/** The course of a column of days: a picture of the chart below. */
function Spark({ table, column }: { table: FiguresTable; column: string }) {
  if (!table.columns.includes(column) || columnOf(table, column).length < 2) return null;
  const values = series(table, column).map(({ value }) => value);
  const most = Math.max(1, ...values);
  const points = values.map((value, at) => `${(at / (values.length - 1)) * 100},${30 - (value / most) * 28}`);
  return (
    <svg className="spark" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
