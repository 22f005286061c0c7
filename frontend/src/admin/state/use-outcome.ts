// Asks once how a request has ended, after this user has completed or rejected it.
import { useState } from 'react';
import type { OutcomeChange, RequestItem } from '../../api/inbox';
import { isOpen, type OutcomeName } from '../requests/format';

type Asked = { id: string; choice: OutcomeName | undefined };

/** `record` stores an outcome; it throws what is wrong with it. */
export function useOutcome(
  requests: ReadonlyMap<string, RequestItem>,
  record: (request: RequestItem, outcome: OutcomeChange) => Promise<void>,
) {
  const [asked, setAsked] = useState<Asked>();
  const found = requests.get(asked?.id ?? '');
  // After an undo of the move there is nothing to ask.
  const request = found && !isOpen(found) && !found.held ? found : undefined;

  async function choose(choice: OutcomeName): Promise<void> {
    if (!request) return;
    if (choice === 'not_customer') await save({ outcome: choice });
    else setAsked({ id: request.id, choice });
  }

  async function save(outcome: OutcomeChange): Promise<void> {
    if (!request) return;
    await record(request, outcome);
    setAsked((now) => (now?.id === request.id ? undefined : now));
  }

  return {
    /** The request whose outcome is asked for. */
    request,
    choice: request ? asked?.choice : undefined,
    ask: (id: string) => setAsked({ id, choice: undefined }),
    choose,
    save,
    skip: () => setAsked(undefined),
  };
}
