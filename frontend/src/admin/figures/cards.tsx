// The figures of the whole period, each with the number before, how it is counted, and its list.
import type { Figures, FiguresTable } from '../../api/figures';
import { numberOf, numberText, shareText, tableOf } from './numbers';
import { How } from './period-choice';
import { ofAnswers } from './tables';
import { type Days, groups } from './words';

type Card = { name: string; text: string; before: string; how: string; href: string };

export function Cards({ figures }: { figures: Figures }) {
  const totals = tableOf(figures, 'totals');
  const days: Days = { from: figures.from, to: figures.to };
  return (
    <>
      {groups.map(({ title, figures: group }) => {
        const cards = group.map(({ measure, name, how, href }) => ({
          name,
          how: measure === 'won' ? `${how} ${progress(totals)}` : how,
          href: href(days),
          text: numberText(measure, numberOf(totals, measure, 'number')),
          before: numberText(measure, numberOf(totals, measure, 'before')),
        }));
        return (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <List cards={title === 'Requests' ? [...cards, ...answerTimes(figures, days)] : cards} />
          </section>
        );
      })}
    </>
  );
}

/** What has become of the won requests. */
function progress(totals: FiguresTable): string {
  const of = (measure: string) => numberText(measure, numberOf(totals, measure, 'number'));
  return `By now ${of('won_staffed')} are staffed and ${of('won_completed')} completed.`;
}

function List({ cards }: { cards: Card[] }) {
  return (
    <ul className="cards">
      {cards.map(({ name, text, before, how, href }) => (
        <li key={name}>
          <span className="card-name">
            <a href={href}>{name}</a> <How of={name} text={how} />
          </span>
          <span className="card-number">
            <b>{text}</b> {before === '–' ? null : <span className="muted">{`${before} before`}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

const kinds = [
  ['requests', 'answered', 'customers who did not ask for a call'],
  ['emergencies', 'called', 'customers who asked for a call right away'],
] as const;

/** How fast customers were answered: emergencies by call, apart from the others. */
function answerTimes(figures: Figures, days: Days): Card[] {
  const table = tableOf(figures, 'answers');
  return kinds.flatMap(([value, verb, who]) => {
    const of = (column: string) => numberOf(table, value, column);
    const minutes = (column: string) => numberText(column, of(column));
    const promised = minutes('promised_minutes');
    const isCalled = value === 'emergencies';
    const name = (text: string) =>
      isCalled ? `Emergencies: ${text}` : `${text[0]?.toUpperCase()}${text.slice(1)}`;
    const href = (column: string) => ofAnswers(value, column, days) ?? '';
    return [
      {
        name: name(`half ${verb} within`),
        text: minutes('median_minutes'),
        before: minutes('median_before_minutes'),
        how: `The median: half of the ${who} waited no longer.`,
        href: href('answered'),
      },
      {
        name: name(`nine of ten ${verb} within`),
        text: minutes('p90_minutes'),
        before: minutes('p90_before_minutes'),
        how: `The 90th percentile: nine of ten ${who} waited no longer.`,
        href: href('answered'),
      },
      {
        name: name('within the promise'),
        text: shareText(of('within'), of('answered')) ?? '–',
        before: shareText(of('within_before'), of('answered_before')) ?? '–',
        how: `Of the ${who} and were ${verb}, the share within ${promised}.`,
        href: href('within'),
      },
    ];
  });
}
