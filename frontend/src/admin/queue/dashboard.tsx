// The admin dashboard: the queue, the quote that is open beside it, and the keys that work both.
import { useRef, useState } from 'react';
import type { Quote, Status } from '../../api/quotes';
import { Heading } from '../heading';
import { CallClicks } from './call-clicks';
import { formatDeskUrl, navigateDesk, parseDeskUrl } from './desk-url';
import { NewRequestsBanner } from './new-requests-banner';
import { OpenQuote } from './open-quote';
import { QuoteList } from './quote-list';
import { actionsFor } from './quote-list-state';
import { type Command, useShortcuts } from './shortcuts';
import { ShortcutsHelp } from './shortcuts-help';
import { Filters, Search, StaleNotice } from './toolbar';
import { useNow } from './use-now';
import { useOpenQuote } from './use-open-quote';
import { usePendingConfirm } from './use-pending-confirm';
import { useQuoteList } from './use-quote-list';
import { useTitleCount } from './use-title-count';

export function Dashboard({ search }: { search: string }) {
  const url = parseDeskUrl(search);
  const desk = useQuoteList(url.status, url.q);
  const { board } = desk;
  const [help, setHelp] = useState(false);
  const [latest, setLatest] = useState<Quote>();
  const [pendingConfirm, setPendingConfirm] = usePendingConfirm();
  const quietly = useRef(false);
  const now = useNow();
  const quotes = board?.quotes ?? [];
  const sought = useOpenQuote(
    url.quote,
    quotes.find(({ id }) => id === url.quote),
    latest,
  );
  useTitleCount(board?.unseen.length ?? 0);

  const rowLink = (id: string | undefined) =>
    document.querySelector<HTMLElement>(`.row-link[data-id="${id}"]`);
  const inPanel = () => document.activeElement?.closest('.quote-panel') != null;
  const currentId = () =>
    document.activeElement?.closest('.row')?.querySelector<HTMLElement>('.row-link')?.dataset.id ?? url.quote;

  async function move(quote: Quote, to: Status) {
    setPendingConfirm(undefined);
    const back = inPanel() ? document.getElementById('panel-title') : rowLink(quote.id);
    const moved = await desk.move(quote, to);
    if (moved) setLatest(moved);
    // The button that was pressed is gone: the focus stays with its quote.
    if (!document.activeElement || document.activeElement === document.body) back?.focus();
  }

  function step(by: 1 | -1): boolean {
    const at = quotes.findIndex(({ id }) => id === currentId());
    const next = quotes[at < 0 ? 0 : at + by];
    if (!next) return false;
    if (!inPanel()) rowLink(next.id)?.focus();
    if (url.quote) {
      quietly.current = !inPanel();
      navigateDesk({ ...url, quote: next.id }, true);
    }
    return true;
  }

  function act(name: string): boolean {
    const id = currentId();
    const quote = quotes.find((it) => it.id === id) ?? (sought.quote?.id === id ? sought.quote : undefined);
    const action = quote && actionsFor(quote.status).find((it) => it.name === name);
    if (!quote || !action || desk.moving.has(quote.id)) return false;
    if (name === 'Reject' && pendingConfirm !== quote.id) setPendingConfirm(quote.id);
    else move(quote, action.to);
    return true;
  }

  function close(): boolean {
    if (!url.quote) return false;
    const link = rowLink(url.quote);
    navigateDesk({ ...url, quote: undefined });
    requestAnimationFrame(() => (rowLink(url.quote) ?? link)?.focus());
    return true;
  }

  /** A quote opened on purpose takes the focus; one passed by on the keyboard does not. */
  function takesFocus(): boolean {
    const takes = !quietly.current;
    quietly.current = false;
    return takes;
  }

  const run: Record<Command, () => boolean> = {
    next: () => step(1),
    previous: () => step(-1),
    accept: () => act('Accept'),
    reject: () => act('Reject'),
    complete: () => act('Complete'),
    search: () => {
      const box = document.querySelector<HTMLInputElement>('#search');
      box?.focus();
      box?.select();
      return true;
    },
    help: () => {
      setHelp(true);
      return true;
    },
    close,
  };
  useShortcuts((command) => run[command]());

  const shared = { now, pendingConfirm, moving: desk.moving, notes: desk.notes, move };
  return (
    <div className={url.quote ? 'queue queue-open' : 'queue'}>
      <div className="queue-main">
        <NewRequestsBanner count={board?.unseen.length ?? 0} show={desk.load} />
        <div className="queue-top">
          <Heading>Admin Dashboard</Heading>
          <button type="button" className="keys-button" onClick={() => setHelp(true)}>
            <kbd>?</kbd> Keys
          </button>
        </div>
        <div className="toolbar">
          <Filters url={url} counts={board?.counts} />
          <Search url={url} />
          <CallClicks />
        </div>
        <StaleNotice heard={desk.heard} incomplete={board?.incomplete ?? false} />
        <QuoteList
          {...shared}
          board={board}
          phase={desk.phase}
          searched={url.q !== '' || url.status !== undefined}
          open={url.quote}
          hrefOf={(id) => formatDeskUrl({ ...url, quote: id })}
          load={desk.load}
          more={desk.more}
        />
      </div>
      <OpenQuote {...shared} id={url.quote} sought={sought} takesFocus={takesFocus} close={close} />
      {help ? <ShortcutsHelp close={() => setHelp(false)} /> : null}
    </div>
  );
}
