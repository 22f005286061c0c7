// A sample record or a comparison table. Records are lists and comparisons repeat the column names
// in each cell, so both are readable on narrow screens.
import { Icon } from '../ui/icon';
import { Section } from './section';
import { Table } from './table';

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
        <Table
          look="compare"
          columns={columns}
          rows={rows.map(([what = '', ...answers]) => ({
            key: what,
            cells: [what, ...answers.map((text) => <Answer key={text} text={text} />)],
          }))}
        />
      ) : (
        <LogEntries kind={kind} columns={columns} rows={rows} />
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

function LogEntries({ kind, columns, rows }: Pick<Props, 'kind' | 'columns' | 'rows'>) {
  return (
    <div className={kind === 'log' ? 'record' : 'record stops'}>
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

/** What is allowed has a check mark, what is not a cross. */
function Answer({ text }: { text: string }) {
  const [first] = text.split(/\W/);
  const icon = first === 'Yes' ? 'check' : first === 'No' ? 'close' : undefined;
  return (
    <>
      {icon ? <Icon name={icon} /> : null}
      {text}
    </>
  );
}
