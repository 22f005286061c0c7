// A contact message has no files and no offers; one press makes it a quote request, which has.
import type { RequestItem } from '../../api/inbox';
import { Button } from '../../ui/button';
import type { Changes } from '../state/use-changes';

type Props = {
  request: RequestItem;
  makeQuote: Changes['makeQuote'];
  reload(): void;
};

export function MakeQuote({ request, makeQuote, reload }: Props) {
  if (request.held || request.kind === 'quote') return null;
  return (
    <section aria-labelledby="make-quote-title">
      <h3 id="make-quote-title">Files and offers</h3>
      <p className="muted">Quote requests have them. Nothing of this message is lost.</p>
      <Button look="line" onClick={() => makeQuote(request).then(reload)}>
        Make it a quote request{' '}
        <span className="key-hint" aria-hidden="true">
          q
        </span>
      </Button>
    </section>
  );
}
