// The editor of an offer's draft: the form, the customer's words and the price, and what the
// customer would get, which a narrow window opens by a button. Its email leaves ten seconds after
// it is sent.
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import type { RequestItem } from '../../api/inbox';
import { discardOffer, listRequestOffers, type Offer, type RatesInForce, sendOffer } from '../../api/offers';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { emailDelay } from '../requests/undo';
import { useAuth } from '../session/provider';
import { useActions } from '../state/use-desk';
import { FormAlert } from '../ui/auth-card';
import { ConfirmButton, Conflict } from '../ui/confirm-button';
import { useWide } from '../ui/use-current-in-view';
import { errorMessage } from '../ui/use-submit';
import { AskedNote, TheirWords } from './asked';
import { anotherPost, type Faults, unconfirmedFaults, unreadable } from './draft';
import { EditingProvider } from './fields/fields';
import { OfferForm } from './offer-form';
import { OfferPreview } from './offer-preview';
import { PriceView, Total } from './price-view';
import { SampleNotice, SampleTexts } from './sample-notice';
import { savingText, useOfferDraft } from './use-offer-draft';
import { usePrice } from './use-price';
import { dollars } from './words';

type Props = {
  request: RequestItem;
  offer: Offer;
  rates: RatesInForce;
  stored(offer: Offer): void;
  /** Reads the request and its offers again. */
  reload(): void;
  close(): void;
};

export function OfferEditor({ request, offer, rates, stored, reload, close }: Props) {
  const { manager } = useAuth();
  const { offer: undoLater } = useActions();
  const store = useOfferDraft(offer, stored);
  const { draft, flush } = store;
  const { card } = rates.rates;
  const box = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState(false);
  const [alert, setAlert] = useState('');
  const [busy, setBusy] = useState(false);
  const [previewed, setPreviewed] = useState(false);
  const wide = useWide();
  useEffect(() => {
    heading.current?.focus();
    box.current?.scrollIntoView?.({ block: 'start' });
  }, []);

  const unread = unreadable(draft);
  const isRead = Object.keys(unread).length === 0;
  const pricing = usePrice(isRead ? draft : undefined);
  const unready = isRead ? pricing.faults : unread;
  const wrong = { ...unconfirmedFaults(draft), ...unready };
  // What is typed is marked at once where it cannot be read, or the sums show that it is wrong.
  const isSum = /^(manual\.\d+\.cents|discount|posts)$/.test(Object.keys(pricing.faults).join());
  const isAtOnce = (field: string) => field in unread || (isRead && isSum && field in pricing.faults);
  const shown = Object.fromEntries(
    Object.entries(wrong).filter(([field]) => asked || isAtOnce(field) || touched.has(field)),
  );
  const missing = [...new Set(Object.values(unready))];

  /** Shows what is wrong and moves to the first such field; true if none of `faults` is. */
  function complete(faults: Faults): boolean {
    setAsked(true);
    setAlert('');
    const [first] = Object.keys(faults);
    if (first) setTimeout(() => focusFault(box.current));
    return !first;
  }

  async function attempt(job: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    try {
      await job();
    } catch (error) {
      if (error instanceof ApiError && error.details.fields) {
        store.setRefused(error.details.fields);
        setTimeout(() => focusFault(box.current));
      }
      setAlert(
        hasErrorCode(error, 'sample_rates') ? `Not sent. ${errorMessage(error)}` : errorMessage(error),
      );
    } finally {
      setBusy(false);
    }
  }

  const send = () =>
    attempt(async () => {
      const { price, faults } = isRead ? await pricing.settled() : { faults: unread };
      if (!complete({ ...unconfirmedFaults(draft), ...faults }) || !price) return;
      const total = price.price.total;
      if (total !== pricing.price?.price.total) {
        setAlert(`The price is ${dollars(total)} now. Press the button again to send it.`);
        return;
      }
      await flush();
      const sent = await manager.withToken(sendOffer, offer.number, {
        revision: store.revision(),
        after: offer.version,
        total_cents: total,
      });
      undoLater('Offer sent', 'It leaves in ten seconds.', {
        id: request.id,
        event: sent.versions[0]?.event,
        undone: `The offer ${offer.number} is not sent. Its draft is kept.`,
        time: emailDelay,
        after: reload,
      });
      close();
      reload();
    });

  async function settle(mine: boolean) {
    const { offers } = await manager.withToken(listRequestOffers, request.id);
    const theirs = offers.find(({ number }) => number === offer.number);
    if (!theirs) return;
    if (mine) return store.saveOver(theirs);
    store.takeTheirs(theirs);
    stored(theirs);
  }

  const blurred = (event: FocusEvent<HTMLElement>) => {
    const { name } = event.target as HTMLInputElement;
    if (name) setTouched((now) => new Set(now).add(name));
  };

  return (
    <form
      ref={box}
      className="offer-editor"
      noValidate
      onBlur={blurred}
      onSubmit={(event) => event.preventDefault()}
    >
      <h4 ref={heading} tabIndex={-1}>
        {`Offer ${offer.number}${offer.version ? `, version ${offer.version + 1}` : ''}`}
      </h4>
      {rates.is_sample ? <SampleNotice /> : null}
      <EditingProvider
        value={{
          draft,
          faults: { ...shown, ...store.refused },
          asked: offer.asked,
          change: store.change,
        }}
      >
        <div className="offer-columns">
          <OfferForm
            request={request}
            draft={draft}
            card={card}
            addPost={() => anotherPost(draft.terms, card)}
          />
          <div className="offer-aside">
            <h5>In their words</h5>
            <TheirWords text={request.description ?? ''} />
            <AskedNote asked={offer.asked} />
            <PriceView pricing={pricing} missing={missing} />
          </div>
        </div>
      </EditingProvider>
      <SampleTexts refused={store.refused} />
      <FormAlert text={alert || store.alert} />
      {store.saving === 'conflict' ? <Conflict settle={(mine) => attempt(() => settle(mine))} /> : null}
      <div className="offer-foot">
        <Button disabled={busy || rates.is_sample || !request.email} onClick={send}>
          {offer.version ? `Send version ${offer.version + 1}` : 'Send offer'}
        </Button>
        {wide ? null : (
          <Button
            look="line"
            disabled={busy}
            aria-pressed={previewed}
            onClick={() =>
              attempt(async () => {
                const { faults } = isRead ? await pricing.settled() : { faults: unread };
                if (!previewed && !complete(faults)) return;
                await flush();
                setPreviewed(!previewed);
                setTimeout(() => box.current?.querySelector('.offer-preview')?.scrollIntoView());
              })
            }
          >
            Preview
          </Button>
        )}
        <Button look="quiet" onClick={close}>
          Close
        </Button>
        <Total pricing={pricing} missing={missing} />
        <span className="muted" role="status">
          {request.email
            ? savingText[store.saving]
            : 'The customer gave no email address: call them instead.'}
        </span>
        {offer.version === 0 ? (
          <ConfirmButton
            name="Delete"
            of="this draft"
            act={() =>
              attempt(async () => {
                await manager.withToken(discardOffer, offer.number);
                toast({ title: 'Draft deleted', detail: offer.number });
                close();
                reload();
              })
            }
          />
        ) : null}
      </div>
      {/* After the buttons: Tab goes through the page in its frame last. */}
      {wide || previewed ? (
        <OfferPreview
          number={offer.number}
          revision={offer.revision}
          isComplete={pricing.price !== undefined && missing.length === 0}
        />
      ) : null}
    </form>
  );
}

/** Moves the focus to the first field with a message, and opens the part that hides it. */
function focusFault(box: HTMLElement | null) {
  const field = box?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]');
  const folded = field?.closest('details');
  if (folded) folded.open = true;
  field?.focus();
}
