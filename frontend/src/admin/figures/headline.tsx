// What people look at first: four large numbers, each with its change and, where it is known by
// day, its course.
import type { Figures, FiguresTable } from '../../api/figures';
import { columnOf, numberOf, numberText, series, tableOf } from './numbers';
import { type Days, groups } from './words';

const measures = ['asked', 'answered', 'offers_accepted', 'won_monthly_cents'];

export function Headline({ figures }: { figures: Figures }) {
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
