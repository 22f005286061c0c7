// The list with its states: loading, failed, empty, and the way to older requests.
import type { Quote, Status } from '../../api/quotes';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import type { QuoteListState } from './quote-list-state';
import { QuoteRow } from './quote-row';
import type { LoadPhase } from './use-quote-list';

type Props = {
  board: QuoteListState | undefined;
  phase: LoadPhase;
  searched: boolean;
  open: string | undefined;
  now: number;
  pendingConfirm: string | undefined;
  moving: ReadonlySet<string>;
  notes: Readonly<Record<string, string>>;
  hrefOf(id: string): string;
  load(): Promise<void>;
  more(): Promise<void>;
  move(quote: Quote, to: Status): void;
};

export function QuoteList({ board, phase, searched, open, load, more, ...rest }: Props) {
  if (!board) return phase === 'failed' ? <Failed load={load} /> : <Loading />;
  const { quotes } = board;
  return (
    <section className="list" aria-label="Quote requests" aria-busy={phase === 'loading'}>
      {quotes.length === 0 ? <Empty searched={searched} /> : null}
      <ul className="rows">
        {quotes.map((quote) => (
          <QuoteRow
            key={quote.id}
            quote={quote}
            href={rest.hrefOf(quote.id)}
            open={quote.id === open}
            busy={rest.moving.has(quote.id)}
            pendingConfirm={rest.pendingConfirm === quote.id}
            note={rest.notes[quote.id]}
            now={rest.now}
            move={rest.move}
          />
        ))}
      </ul>
      {board.more ? <More shown={quotes.length} busy={phase === 'loading'} more={more} /> : null}
    </section>
  );
}

function More({ shown, busy, more }: { shown: number; busy: boolean; more: () => Promise<void> }) {
  const extend = async () => {
    await more();
    const rows = document.querySelectorAll<HTMLElement>('.row-link');
    announce(`${rows.length - shown} more requests`);
    if (!document.activeElement || document.activeElement === document.body) rows[shown]?.focus();
  };
  return (
    <div className="more">
      <Button look="line" disabled={busy} onClick={extend}>
        {busy ? 'Loading' : 'Load more'}
      </Button>
      <span className="muted">{`${shown} shown`}</span>
    </div>
  );
}

function Empty({ searched }: { searched: boolean }) {
  return (
    <div className="empty">
      <p>No quote requests found.</p>
      {searched ? (
        <p>
          <a href="/admin">Show all requests</a>
        </p>
      ) : (
        <p className="muted">The next one appears here by itself.</p>
      )}
    </div>
  );
}

function Failed({ load }: { load: () => Promise<void> }) {
  return (
    <div className="empty">
      <p>The list could not be loaded.</p>
      <Button onClick={load}>Try again</Button>
    </div>
  );
}

/** Lines where the rows will be, so that nothing jumps when they come. */
function Loading() {
  return (
    <div className="rows loading" role="status">
      <span className="visually-hidden">Loading</span>
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <div key={line} className="row row-blank" aria-hidden="true" />
      ))}
    </div>
  );
}
