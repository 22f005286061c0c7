// Asks once how a request has ended, after this user has completed or rejected it.
import { useState } from 'react';
import type { OutcomeChange, RequestItem } from '../../api/inbox-types';
import { isOpen } from '../requests/format';
import type { OutcomeName } from '../requests/outcome-text';

export type Outcome = ReturnType<typeof useOutcome>;

type Asked = { id: string; choice: OutcomeName | undefined };

/** `record` stores an outcome; it returns an error, or an empty text. */
export function useOutcome(
  requests: ReadonlyMap<string, RequestItem>,
  record: (request: RequestItem, outcome: OutcomeChange) => Promise<string>,
) {
  const [asked, setAsked] = useState<Asked>();
  const found = requests.get(asked?.id ?? '');
  // After an undo of the move there is nothing to ask.
  const request = found && !isOpen(found) && !found.held ? found : undefined;

  async function choose(choice: OutcomeName): Promise<string> {
    if (!request) return '';
    if (choice !== 'not_customer') {
      setAsked({ id: request.id, choice });
      return '';
    }
    return save({ outcome: choice });
  }

  async function save(outcome: OutcomeChange): Promise<string> {
    if (!request) return '';
    const failure = await record(request, outcome);
    if (!failure) setAsked((now) => (now?.id === request.id ? undefined : now));
    return failure;
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
