// The place beside the list: the quote that is open, or what stands there while none is.
import type { Quote, Status } from '../../api/quotes';
import { Button } from '../../ui/button';
import { QuotePanel } from './quote-panel';
import type { OpenQuoteState } from './use-open-quote';

type Props = {
  id: string | undefined;
  sought: OpenQuoteState;
  takesFocus(): boolean;
  now: number;
  pendingConfirm: string | undefined;
  moving: ReadonlySet<string>;
  notes: Readonly<Record<string, string>>;
  move(quote: Quote, to: Status): void;
  close(): void;
};

export function OpenQuote({ id, sought, pendingConfirm, moving, notes, ...rest }: Props) {
  if (!id) {
    return (
      <aside className="quote-panel panel-none" aria-label="Open request">
        <p className="muted">Choose a request to see it whole.</p>
      </aside>
    );
  }
  const { quote, missing, failed, again } = sought;
  if (quote) {
    return (
      <QuotePanel
        quote={quote}
        busy={moving.has(id)}
        pendingConfirm={pendingConfirm === id}
        note={notes[id]}
        {...rest}
      />
    );
  }
  return (
    <aside className="quote-panel" aria-label="Open request">
      <p role="status">
        {missing ? 'There is no such request.' : failed ? 'It could not be loaded.' : 'Loading'}
      </p>
      <div className="actions">
        {failed ? <Button onClick={again}>Try again</Button> : null}
        <Button look="line" onClick={rest.close}>
          Close
        </Button>
      </div>
    </aside>
  );
}
