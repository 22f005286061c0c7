// Who the caller is, by their earlier requests: below the field that names them.
import { useEffect, useRef } from 'react';
import type { FieldValues } from '../../forms/rules';
import { Button } from '../../ui/button';
import { customer, isOpen, serviceLabel } from '../requests/format';
import type { KnownCaller } from './use-known-customer';

type Props = {
  caller: KnownCaller;
  /** The field above. */
  field: KnownCaller['by'];
  hrefOf(request: string): string;
  /** Writes what is known into the fields that are empty. */
  take(values: FieldValues): void;
};

export function KnownCustomer({ caller: { by, requests, more }, field, hrefOf, take }: Props) {
  const [last] = requests;
  const isShown = last !== undefined && by === field;
  const box = useRef<HTMLDivElement>(null);
  // The foot of the form would cover what appears below the last field.
  useEffect(() => {
    if (isShown) box.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isShown]);
  if (!isShown) return <div role="status" />;
  const open = requests.filter(isOpen);
  const count = requests.length === 1 ? '1 request' : `${requests.length}${more ? '+' : ''} requests`;
  const newest = (value: (request: (typeof requests)[number]) => string | null | undefined) =>
    requests.map(value).find((text) => text) ?? '';
  return (
    <div ref={box} className="known-customer" role="status">
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
            phone: last.phone || newest(({ phone }) => phone),
            email: last.email || newest(({ email }) => email),
            company: last.company || newest(({ company }) => company),
            location: newest(({ location }) => location),
          })
        }
      >
        Take name, company and address over
      </Button>
    </div>
  );
}
