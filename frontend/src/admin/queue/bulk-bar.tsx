// What can be done with the selected requests, at the foot of the window: it moves no row.
import type { BulkResult, Person, Status } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { allActions } from './request-list-state';

type Props = {
  count: number;
  people: Person[];
  /** Whether the first press of the reject key waits for the second. */
  pendingConfirm: boolean;
  move(to: Status): void;
  /** `me`, a user id, or null for nobody. */
  assign(assignee: string | null): void;
  clear(): void;
};

export function BulkBar({ count, people, pendingConfirm, move, assign, clear }: Props) {
  if (count === 0) return null;
  return (
    <section className="bulk" aria-label="Selected requests">
      <p role="status">
        <strong>{count} selected</strong>
        {pendingConfirm ? <span className="bulk-confirm">Press r again to reject all.</span> : null}
      </p>
      <div className="row-actions">
        {allActions.map(({ name, to }) => (
          <Button
            key={name}
            look="line"
            className={name === 'Reject' && pendingConfirm ? 'confirming' : undefined}
            onClick={() => move(to)}
          >
            {name} all
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

type AssignProps = { label: string; people: Person[]; assign(assignee: string | null): void };

/** A menu that assigns at once; it shows no state of its own. */
export function AssignSelect({ label, people, assign }: AssignProps) {
  return (
    <select
      className="input assign"
      aria-label={label}
      value=""
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.value = '';
        if (value) assign(value === 'nobody' ? null : value);
      }}
    >
      <option value="">Assign to…</option>
      <option value="me">Me</option>
      <option value="nobody">Nobody</option>
      {people.map(({ id, email }) => (
        <option key={id} value={id}>
          {email ?? id}
        </option>
      ))}
    </select>
  );
}

/** The requests that a change of many left as they were, one by one. */
export function Refusals({ refused, close }: { refused: BulkResult['refused']; close(): void }) {
  if (refused.length === 0) return null;
  return (
    <section className="refusals" role="alert" aria-label="Not changed">
      <p>
        {refused.length === 1 ? '1 request was not changed:' : `${refused.length} requests were not changed:`}
      </p>
      <ul>
        {refused.map(({ id, reference, detail }) => (
          <li key={id}>
            <strong>{reference ?? id}</strong> {detail}
          </li>
        ))}
      </ul>
      <Button look="line" onClick={close}>
        Close
      </Button>
    </section>
  );
}
