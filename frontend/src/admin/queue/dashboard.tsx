// The admin dashboard: the queue, the quote that is open beside it, and the keys that work both.
import { useRef, useState } from 'react';
import type { Quote, Status } from '../../api/triage';
import { Heading } from '../heading';
import { addressOf, go, placeOf } from './address';
import { actions } from './board';
import { Help } from './help';
import { News } from './news';
import { OpenQuote } from './open-quote';
import { QuoteList } from './quote-list';
import { type Command, useShortcuts } from './shortcuts';
import { Taps } from './taps';
import { Filters, Freshness, Search } from './toolbar';
import { useArmed } from './use-armed';
import { useBoard } from './use-board';
import { useMinute } from './use-minute';
import { useQuote } from './use-quote';
import { useTitle } from './use-title';

export function Dashboard({ search }: { search: string }) {
  const place = placeOf(search);
  const desk = useBoard(place.status, place.q);
  const { board } = desk;
  const [help, setHelp] = useState(false);
  const [latest, setLatest] = useState<Quote>();
  const [armed, arm] = useArmed();
  const quietly = useRef(false);
  const now = useMinute();
  const quotes = board?.quotes ?? [];
  const sought = useQuote(
    place.quote,
    quotes.find(({ id }) => id === place.quote),
    latest,
  );
  useTitle(board?.unseen.length ?? 0);

  const rowLink = (id: string | undefined) =>
    document.querySelector<HTMLElement>(`.row-link[data-id="${id}"]`);
  const inPanel = () => document.activeElement?.closest('.quote-panel') != null;
  const currentId = () =>
    document.activeElement?.closest('.row')?.querySelector<HTMLElement>('.row-link')?.dataset.id ??
    place.quote;

  async function move(quote: Quote, to: Status) {
    arm(undefined);
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
    if (place.quote) {
      quietly.current = !inPanel();
      go({ ...place, quote: next.id }, true);
    }
    return true;
  }

  function act(name: string): boolean {
    const id = currentId();
    const quote = quotes.find((it) => it.id === id) ?? (sought.quote?.id === id ? sought.quote : undefined);
    const action = quote && actions(quote.status).find((it) => it.name === name);
    if (!quote || !action || desk.moving.has(quote.id)) return false;
    if (name === 'Reject' && armed !== quote.id) arm(quote.id);
    else move(quote, action.to);
    return true;
  }

  function close(): boolean {
    if (!place.quote) return false;
    const link = rowLink(place.quote);
    go({ ...place, quote: undefined });
    requestAnimationFrame(() => (rowLink(place.quote) ?? link)?.focus());
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

  const shared = { now, armed, moving: desk.moving, notes: desk.notes, move };
  return (
    <div className={place.quote ? 'queue queue-open' : 'queue'}>
      <div className="queue-main">
        <News count={board?.unseen.length ?? 0} show={desk.load} />
        <div className="queue-top">
          <Heading>Admin Dashboard</Heading>
          <button type="button" className="keys-button" onClick={() => setHelp(true)}>
            <kbd>?</kbd> Keys
          </button>
        </div>
        <div className="toolbar">
          <Filters place={place} counts={board?.counts} />
          <Search place={place} />
          <Taps />
        </div>
        <Freshness heard={desk.heard} incomplete={board?.incomplete ?? false} />
        <QuoteList
          {...shared}
          board={board}
          phase={desk.phase}
          searched={place.q !== '' || place.status !== undefined}
          open={place.quote}
          hrefOf={(id) => addressOf({ ...place, quote: id })}
          load={desk.load}
          more={desk.more}
        />
      </div>
      <OpenQuote {...shared} id={place.quote} sought={sought} takesFocus={takesFocus} close={close} />
      {help ? <Help close={() => setHelp(false)} /> : null}
    </div>
  );
}
