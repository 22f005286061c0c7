// The duplicates that were merged into a request: what they say, and how to separate them.
import type { RequestItem } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { ago, customer, serviceLabel, telLink } from '../requests/format';
import { CallableText } from './callable-text';

type Props = { duplicates: RequestItem[]; now: number; separate(duplicate: RequestItem): void };

export function Duplicates({ duplicates, now, separate }: Props) {
  if (duplicates.length === 0) return null;
  return (
    <section className="duplicates" aria-labelledby="duplicates-title">
      <h3 id="duplicates-title">
        {duplicates.length === 1 ? 'Merged request' : `${duplicates.length} merged requests`}
      </h3>
      <ul>
        {duplicates.map((duplicate) => (
          <li key={duplicate.id}>
            <p>
              <strong>{duplicate.reference}</strong> {serviceLabel(duplicate)}
              {duplicate.location ? `, ${duplicate.location}` : ''}
            </p>
            <p>
              {customer(duplicate)}
              {duplicate.phone ? (
                <>
                  , <a href={telLink(duplicate.phone)}>{duplicate.phone}</a>
                </>
              ) : null}
              {duplicate.email ? `, ${duplicate.email}` : ''}
            </p>
            {duplicate.description ? (
              <p className="panel-words">
                <CallableText text={duplicate.description} />
              </p>
            ) : null}
            <p className="muted">Received {ago(duplicate.created_at, now)}</p>
            <Button look="line" className="button-small" onClick={() => separate(duplicate)}>
              Separate<span className="visually-hidden"> {duplicate.reference}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
