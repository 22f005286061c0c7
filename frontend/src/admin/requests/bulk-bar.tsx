// What can be done with the selected requests, and how far that is, at the foot of the window: it
// moves no row.
import type { Person } from '../../api/inbox';
import { Button } from '../../ui/button';
import { ActionSelect } from '../ui/action-select';
import { Options } from '../ui/choice';
import { type Action, allActions } from './action-buttons';
import { peopleOptions } from './format';

type Props = {
  count: number;
  people: Person[];
  /** Whether the first press of the reject key waits for the second. */
  pendingConfirm: boolean;
  /** How far a change or a selection of many is. */
  progress: { doing: string; done: number; total: number } | undefined;
  /** How many of the selected requests can take an action. */
  takersOf(action: Action): number;
  move(action: Action): void;
  /** `me`, a user id, or null for unassigned. */
  assign(assignee: string | null): void;
  clear(): void;
};

export function BulkBar({ count, people, pendingConfirm, progress, ...rest }: Props) {
  const { takersOf, move, assign, clear } = rest;
  if (progress) return <ProgressBar {...progress} />;
  if (count === 0) return null;
  return (
    <section className="bulk" aria-label="Selected requests">
      <p role="status">
        <strong>{number(count)} selected</strong>
        {pendingConfirm ? <span className="bulk-confirm">Press r again to reject them.</span> : null}
      </p>
      <div className="row-actions">
        {allActions
          .map((action) => ({ action, takers: takersOf(action) }))
          .filter(({ takers }) => takers > 0)
          .map(({ action, takers }) => (
            <Button
              key={action.name}
              look="line"
              className={action.name === 'Reject' && pendingConfirm ? 'confirming' : undefined}
              onClick={() => move(action)}
            >
              {action.name} {number(takers)}
            </Button>
          ))}
        <AssignSelect label="Assign the selected requests" people={people} assign={assign} />
        <Button look="quiet" onClick={clear}>
          Clear
        </Button>
      </div>
    </section>
  );
}

function ProgressBar({ doing, done, total }: { doing: string; done: number; total: number }) {
  const text = `${doing} ${number(done)} of ${number(total)}`;
  return (
    <section className="bulk" aria-label="Selected requests">
      <p role="status">{text}</p>
      <progress value={done} max={total} aria-label={doing} />
    </section>
  );
}

function number(count: number): string {
  return count.toLocaleString('en-US');
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
