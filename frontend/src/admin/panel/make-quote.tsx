// A contact message has no files and no offers; one press makes it a quote request, which has.
import type { RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import { useDesk } from '../state/use-desk';

export function MakeQuote({ request }: { request: RequestItem }) {
  const { changes, open } = useDesk();
  if (request.held || request.kind === 'quote') return null;
  return (
    <section aria-labelledby="make-quote-title">
      <h3 id="make-quote-title">Files and offers</h3>
      <p className="muted">Quote requests have them. Nothing of this message is lost.</p>
      <Button look="line" onClick={() => changes.makeQuote(request).then(open.reload)}>
        Make it a quote request{' '}
        <span className="key-hint" aria-hidden="true">
          q
        </span>
      </Button>
    </section>
  );
}
