// The page of figures: first what needs doing, then what was viewed, asked, answered and won in a
// period, with the one before.
import { downloadConversions } from '../../api/figures';
import { FormAlert } from '../ui/auth-card';
import { Heading } from '../ui/heading';
import { Waiting } from '../ui/waiting';
import { Cards } from './cards';
import { Charts, Figure } from './charts/charts';
import { Headline } from './headline';
import { tableOf } from './numbers';
import { NumbersTable } from './numbers-table';
import { PeriodChoice } from './period-choice';
import { SaveButton } from './save-button';
import { hrefIn, tables } from './tables';
import { ToDoList } from './to-do';
import { periodQuery, useFigures } from './use-figures';

export default function FiguresView({ search }: { search: string }) {
  const query = periodQuery(search);
  const { figures, busy, alert, reload } = useFigures(query);
  return (
    <div className="figures">
      <Heading>Figures</Heading>
      <ToDoList />
      <PeriodChoice query={query} figures={figures} />
      {figures ? <FormAlert text={alert} /> : <Waiting problem={alert} retry={reload} />}
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
