// Other requests of the same person, by email address or phone number.
import type { RelatedRequest } from '../../api/inbox-types';
import { Button } from '../../ui/button';
import { elapsed, isOpen, statusText } from '../requests/format';

type Props = {
  related: RelatedRequest[];
  now: number;
  hrefOf(id: string): string;
  /** Merges the open request with another; undefined if it cannot be merged. */
  merge: ((other: string) => void) | undefined;
};

export function Related({ related, now, hrefOf, merge }: Props) {
  if (related.length === 0) return null;
  return (
    <section className="related-section" aria-labelledby="related-title">
      <h3 id="related-title">
        {related.length === 1 ? '1 other request' : `${related.length} other requests`} of this person
      </h3>
      <ul className="related">
        {related.map(({ id, kind, reference, status, created_at, held }) => (
          <li key={id}>
            <a href={hrefOf(id)}>{reference}</a> {kind === 'quote' ? 'Quote request' : 'Message'},{' '}
            {held ? 'held as spam' : statusText(status)}, {elapsed(created_at, now)}
            {merge && !held && isOpen({ status }) ? (
              <Button look="quiet" className="undo" onClick={() => merge(id)}>
                Merge<span className="visually-hidden"> with {reference}</span>
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
