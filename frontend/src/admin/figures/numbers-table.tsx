// A table of figures, with its file for spreadsheets.

import { downloadTable, type FiguresTable } from '../../api/figures';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { saveFile } from '../ui/save-file';
import { errorToast } from '../ui/use-submit';
import { numberText } from './numbers';
import { headOf } from './tables';

type Props = {
  table: FiguresTable;
  /** What the table is about, for readers of screens. */
  caption: string;
  /** The query of the period. */
  query: string;
  /** The head of the first column. */
  first: string;
  nameOf(value: string): string;
  /** The address of the list behind a number. */
  hrefOf?: ((value: string, column: string) => string | undefined) | undefined;
  /** Its columns, if not all are shown, and their heads. */
  columns?: string[] | undefined;
  headOf?: (column: string) => string;
};

/** Rows that are shown before one asks for more. */
const few = 10;

export function NumbersTable(props: Props) {
  const { table, caption, first, nameOf, hrefOf, columns = table.columns } = props;
  const head = props.headOf ?? headOf;
  const shown = columns.filter((column) =>
    table.rows.some(({ numbers }) => numbers[table.columns.indexOf(column)]),
  );
  const linked = (text: string, href: string | undefined) => (href ? <a href={href}>{text}</a> : text);
  const row = ({ value, name, numbers }: FiguresTable['rows'][number]) => (
    <tr key={value}>
      <th scope="row">{linked(name ?? nameOf(value), hrefOf?.(value, columns[0] ?? ''))}</th>
      {shown.map((column) => {
        const number = numbers[table.columns.indexOf(column)];
        return (
          <td key={column} className={number ? undefined : 'muted'}>
            {linked(numberText(column, number), number ? hrefOf?.(value, column) : undefined)}
          </td>
        );
      })}
    </tr>
  );
  const rows = (from: number, to?: number) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
    <div className="numbers-scroll" tabIndex={0}>
      <table className="numbers">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {shown.map((column) => (
              <th key={column} scope="col">
                {head(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{table.rows.slice(from, to).map(row)}</tbody>
      </table>
    </div>
  );
  if (table.rows.length === 0) return <p className="muted">Nothing in this period.</p>;
  return (
    <>
      {rows(0, few)}
      {table.rows.length > few ? (
        <details className="numbers-more">
          <summary>{`${table.rows.length - few} more`}</summary>
          {rows(few)}
        </details>
      ) : null}
      <SaveButton
        about={caption}
        label="CSV"
        name={`${table.key}.csv`}
        read={(token) => downloadTable(token, table.key, props.query)}
      />
    </>
  );
}

type SaveButtonProps = {
  /** What the file is about, for readers of screens. */
  about: string;
  /** What the button says. */
  label: string;
  /** The name of the file. */
  name: string;
  read(token: string): Promise<Blob>;
};

/** The button that saves figures as a file. */
export function SaveButton({ about, label, name, read }: SaveButtonProps) {
  const { manager } = useAuth();
  const save = () => manager.withToken(read).then((file) => saveFile(file, name), errorToast('Not saved'));
  return (
    <Button look="line" className="button-small table-file" aria-label={`${label}: ${about}`} onClick={save}>
      {label}
    </Button>
  );
}
