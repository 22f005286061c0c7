// Other requests of the same person, by email address or phone number.
import type { RelatedRequest } from '../../api/inbox-types';
import { elapsed, statusText } from '../requests/format';

type Props = { related: RelatedRequest[]; now: number; hrefOf(id: string): string };

export function Related({ related, now, hrefOf }: Props) {
  if (related.length === 0) return null;
  return (
    <section className="related-section" aria-labelledby="related-title">
      <h3 id="related-title">
        {related.length === 1 ? '1 other request' : `${related.length} other requests`} of this person
      </h3>
      <ul className="related">
        {related.map(({ id, kind, reference, status, created_at }) => (
          <li key={id}>
            <a href={hrefOf(id)}>{reference}</a> {kind === 'quote' ? 'Quote request' : 'Message'},{' '}
            {statusText(status)}, {elapsed(created_at, now)}
          </li>
        ))}
      </ul>
    </section>
  );
}
