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
  download_text?: string | null | undefined;
};

export function SampleRecord({ kind, heading, text, columns, rows, download, download_text }: Props) {
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
            {download_text || 'Download a longer sample'}
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
    <dl className="rows">
      {rows.map(([what, first, second]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>
            <strong>{`${left}: `}</strong>
            {first}
            <br />
            <strong>{`${right}: `}</strong>
            {second}
          </dd>
        </div>
      ))}
    </dl>
  );
}
