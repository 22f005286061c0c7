// A sample record or a comparison table. Records are lists and comparisons repeat the column names
// in each row, so both are readable on narrow screens.
import { Section } from './section';

type Props = {
  kind: string;
  heading: string;
  text: string;
  columns: string[];
  rows: string[][];
  /** The path of a file with a longer sample. */
  download?: string | undefined;
};

export function SampleRecord({ kind, heading, text, columns, rows, download }: Props) {
  return (
    <Section
      id={`sample-${kind}`}
      kicker={kind === 'compare' ? 'Armed or unarmed' : 'A sample'}
      title={heading}
      background="mist"
    >
      <p>{text}</p>
      {kind === 'compare' ? (
        <Comparison columns={columns} rows={rows} />
      ) : (
        <LogEntries columns={columns} rows={rows} />
      )}
      {download ? (
        <p className="actions">
          <a href={download} download>
            Download a sample log of a whole night (CSV)
          </a>
        </p>
      ) : null}
    </Section>
  );
}

function LogEntries({ columns, rows }: Pick<Props, 'columns' | 'rows'>) {
  return (
    <div className="record">
      <p className="record-head" aria-hidden="true">
        {columns.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </p>
      <ol className="plain-list">
        {rows.map(([at, what, more, who]) => (
          <li key={at}>
            <span className="record-time">{at}</span>
            <div className="record-text">
              <strong>{what}</strong>
              {who ? <span className="record-who">{who}</span> : null}
              <span className="record-what">{more}</span>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Comparison({ columns: [, left, right], rows }: Pick<Props, 'columns' | 'rows'>) {
  return (
    <div className="compare">
      <p className="compare-head" aria-hidden="true">
        <span />
        <span>{left}</span>
        <span>{right}</span>
      </p>
      <dl>
        {rows.map(([what, first, second]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <span>{left}</span>
              {first}
            </dd>
            <dd>
              <span>{right}</span>
              {second}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
