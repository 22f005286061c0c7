// The names of the columns, some of which sort the list. Each row names its facts itself.
// biome-ignore-all lint/a11y/useSemanticElements: they have the grid of the rows, which are a list
// biome-ignore-all lint/a11y/useFocusableInteractive: their buttons have the focus
import { navigateDesk } from '../requests/desk-url';
import { ariaSort, nextSort, type SortColumn } from '../requests/sort';
import { useDesk } from '../state/use-desk';

export function RowHeads() {
  return (
    <div className="row-heads" role="table" aria-label="Columns of the list">
      <div className="row-heads-row" role="row">
        <span />
        <div className="row-head-link">
          <SortHead className="row-due" name="Due" column="due" />
          <Head className="row-what" name="Service" />
          <Head className="row-place" name="Place" />
          <SortHead className="row-start" name="Starts" column="start" />
          <Head className="row-who" name="Customer" />
        </div>
        <Head className="row-with" name="Call or assigned" />
        <Head className="row-status" name="Status" />
        <SortHead className="row-offer" name="Value" column="-value" />
      </div>
    </div>
  );
}

type HeadProps = { name: string; className?: string };

function Head({ name, className }: HeadProps) {
  return (
    <span role="columnheader" className={className}>
      {name}
    </span>
  );
}

/** Sorts the list by its column; the open request stays open. */
function SortHead({ name, className, column }: HeadProps & { column: SortColumn }) {
  const { url } = useDesk();
  const { sort } = url.filters;
  const order = ariaSort(sort, column);
  return (
    <span role="columnheader" className={className} aria-sort={order}>
      <button
        type="button"
        className="row-sort"
        onClick={() => navigateDesk({ ...url, filters: { ...url.filters, sort: nextSort(sort, column) } })}
      >
        {name}
        <span aria-hidden="true">{arrows[order]}</span>
      </button>
    </span>
  );
}

const arrows = { ascending: ' ↑', descending: ' ↓', none: '' };
