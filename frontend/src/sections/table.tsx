// A table whose rows begin with their heading; on phones each answer names its column, unless
// there is one.
import type { ReactNode } from 'react';
import type { Condition } from '../content/conditions';

type Row = {
  key: string;
  /** The heading of the row, then a cell for each further column. */
  cells: readonly ReactNode[];
  /** The fact without which the server removes the row. */
  condition?: Condition;
};

type Props = { columns: readonly string[]; rows: readonly Row[]; look?: string; condition?: Condition };

export function Table({ columns, rows, look = '', condition }: Props) {
  const labels = columns.length > 2 ? columns : [];
  return (
    <table className={`table ${look}`} data-if={condition}>
      <thead>
        <tr>
          {columns.map((column) =>
            column ? (
              <th key={column} scope="col">
                {column}
              </th>
            ) : (
              <td key={column} />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [heading, ...cells], condition }) => (
          <tr key={key} data-if={condition}>
            <th scope="row">{heading}</th>
            {cells.map((cell, at) => (
              <td key={columns[at + 1]} data-label={labels[at + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
