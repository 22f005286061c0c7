// While the number or the address of a caller is typed: who that is, by their earlier requests.
import { useEffect, useState } from 'react';
import { listRequests } from '../../api/inbox';
import type { RequestItem } from '../../api/inbox-types';
import type { FieldValues } from '../../forms/rules';
import { Button } from '../../ui/button';
import { customer, isOpen, serviceLabel, telLink } from '../requests/format';
import { useAuth } from '../session/provider';
import { knownBy, type Typed } from './known-by';

/** Milliseconds without a keystroke after which the caller is looked up. */
const pause = 250;
/** Milliseconds until an incomplete search is repeated. */
const again = 1000;

type Props = {
  typed: Typed;
  hrefOf(request: string): string;
  /** Writes what is known into the fields that are empty. */
  take(values: FieldValues): void;
};

export function KnownCustomer({ typed: { phone, email }, hrefOf, take }: Props) {
  const { manager } = useAuth();
  const [found, setFound] = useState<RequestItem[]>([]);
  const query = knownBy({ phone, email });
  useEffect(() => {
    setFound([]);
    if (!query) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      try {
        const page = await manager.withToken((token) =>
          listRequests(token, { q: query, limit: '20' }, abort.signal),
        );
        const same = page.requests.filter((request) => isSame(request, { phone, email }));
        setFound(same);
        // The newest requests may be missing from the search.
        if (same.length === 0 && page.search_incomplete) timer = setTimeout(look, again);
      } catch {
        // Without an answer the form is that of an unknown customer.
      }
    };
    timer = setTimeout(look, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [manager, query]);
  const [last] = found;
  if (!last) return <div role="status" />;
  const open = found.filter(isOpen);
  const count = found.length === 1 ? '1 request' : `${found.length} requests`;
  return (
    <div className="known-customer" role="status">
      <p>
        <strong>{customer(last)}</strong>: {count}, last {last.reference}
      </p>
      {open.length ? (
        <ul>
          {open.map((request) => (
            <li key={request.id}>
              <a href={hrefOf(request.id)}>
                {[request.reference, serviceLabel(request), request.location].filter(Boolean).join(', ')}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <Button
        look="line"
        className="button-small"
        onClick={() =>
          take({
            firstName: last.first_name,
            lastName: last.last_name,
            phone: last.phone,
            email: last.email,
            company: last.company ?? '',
            location: found.find(({ location }) => location)?.location ?? '',
          })
        }
      >
        Take name, company and address over
      </Button>
    </div>
  );
}

function isSame(request: RequestItem, { phone, email }: Typed): boolean {
  if (email && request.email.toLowerCase() === email.trim().toLowerCase()) return true;
  return phone !== '' && telLink(request.phone) === telLink(phone);
}
