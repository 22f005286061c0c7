// What can be done with the selected requests, and how far that is, at the foot of the window: it
// moves no row.
import type { Person } from '../../api/inbox';
import { Button } from '../../ui/button';
import { allActions } from '../requests/actions';
import { countText, peopleOptions } from '../requests/format';
import { selectionConfirm, useDesk } from '../state/use-desk';
import { ActionSelect } from '../ui/action-select';
import { Options } from '../ui/choice';

export function BulkBar() {
  const { selection, people, progress, takersOf, moveSelected, assignSelected, ...desk } = useDesk();
  if (progress) return <ProgressBar {...progress} />;
  const count = selection.ids.size;
  if (count === 0) return null;
  const pendingConfirm = desk.pendingConfirm === selectionConfirm;
  return (
    <section className="bulk" aria-label="Selected requests">
      <p role="status">
        <strong>{countText(count)} selected</strong>
        {pendingConfirm ? <span className="bulk-confirm">Press r again to reject them.</span> : null}
      </p>
      <div className="row-actions">
        {allActions
          .map((action) => ({ action, takers: takersOf(action).length }))
          .filter(({ takers }) => takers > 0)
          .map(({ action, takers }) => (
            <Button
              key={action.name}
              look="line"
              className={action.name === 'Reject' && pendingConfirm ? 'confirming' : undefined}
              onClick={() => moveSelected(action)}
            >
              {action.name} {countText(takers)}
            </Button>
          ))}
        <AssignSelect label="Assign the selected requests" people={people} assign={assignSelected} />
        <Button look="quiet" onClick={selection.clear}>
          Clear
        </Button>
      </div>
    </section>
  );
}

function ProgressBar({ doing, done, total }: { doing: string; done: number; total: number }) {
  const text = `${doing} ${countText(done)} of ${countText(total)}`;
  return (
    <section className="bulk" aria-label="Selected requests">
      <p role="status">{text}</p>
      <progress value={done} max={total} aria-label={doing} />
    </section>
  );
}

type AssignProps = { label: string; people: Person[]; assign(assignee: string | null): void };

/** A menu that assigns; it shows no state. */
export function AssignSelect({ label, people, assign }: AssignProps) {
  return (
    <ActionSelect
      className="input assign"
      label={label}
      action="Assign"
      act={(value) => assign(value === 'nobody' ? null : value)}
    >
      <option value="">Assign to…</option>
      <option value="me">Me</option>
      <option value="nobody">Nobody</option>
      <Options of={peopleOptions(people)} />
    </ActionSelect>
  );
}
