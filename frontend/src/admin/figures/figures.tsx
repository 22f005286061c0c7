// The page of figures: first what needs doing, then what was viewed, asked, answered and won in a
// period, with the one before.
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { Cards } from './cards';
import { Charts } from './charts/charts';
import { tableOf } from './numbers';
import { NumbersTable } from './numbers-table';
import { PeriodChoice } from './period-choice';
import { ToDoList } from './to-do';
import { periodQuery, useFigures } from './use-figures';
import { tables } from './words';

export default function FiguresView({ search }: { search: string }) {
  const query = periodQuery(search);
  const { figures, busy, alert } = useFigures(query);
  return (
    <div className="figures">
      <Heading>Figures</Heading>
      <ToDoList />
      <PeriodChoice query={query} figures={figures} />
      <FormAlert text={alert} />
      {figures || alert ? null : <p role="status">Loading</p>}
      {figures ? (
        <div className={busy ? 'figures-body stale' : 'figures-body'} aria-busy={busy}>
          <Cards figures={figures} />
          <div className="figures-charts">
            <Charts figures={figures} query={query} />
          </div>
          <div className="figures-tables">
            {tables.map(({ key, title, how, nameOf, hrefOf, columns }) => (
              <section key={key} id={key} aria-label={title}>
                <h2>{title}</h2>
                <p className="card-how">{how}</p>
                <NumbersTable
                  table={tableOf(figures, key)}
                  caption={title}
                  first={title.replace(/^.*by /i, '').replace(/^./, (first) => first.toUpperCase())}
                  query={query}
                  nameOf={nameOf}
                  hrefOf={hrefOf ? (value) => hrefOf(value, figures) : undefined}
                  columns={columns}
                />
              </section>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}
