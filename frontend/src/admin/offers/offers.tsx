// The offers of the open request: the list, and the editor of the one that is being written.

import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestItem } from '../../api/inbox';
import { beginOffer, listRequestOffers, type Offer, type RatesInForce, readRates } from '../../api/offers';
import { Button } from '../../ui/button';
import { useAuth } from '../session/provider';
import { FormAlert } from '../ui/auth-card';
import { useAttempt } from '../ui/use-attempt';
import { errorMessage } from '../ui/use-submit';
import { makeOfferEvent, takeAsked } from './make-offer';
import { OfferCard } from './offer-card';
import { OfferEditor } from './offer-editor';

type Props = {
  request: RequestItem;
  /** How many events its history has: an answer of the customer is one. */
  events: number;
  /** Reads the request again. */
  reload(): void;
};

export default function Offers({ request, events, reload }: Props) {
  const { manager } = useAuth();
  const { offers, rates, alert, put, loadRates, reload: reloadOffers } = useOffers(request.id, events);
  const [edited, setEdited] = useState('');
  const { alert: failed, busy, attempt } = useAttempt();
  const box = useRef<HTMLElement>(null);
  const draft = offers?.find(({ version }) => version === 0);
  const shown = offers?.find(({ number }) => number === edited);

  const unlessBusy = (job: () => Promise<void>) => (busy ? undefined : attempt(job));

  const edit = (number: string) =>
    unlessBusy(async () => {
      await loadRates();
      setEdited(number);
    });

  /** Begins an offer, or goes on with the one that was not sent. */
  const make = () =>
    unlessBusy(async () => {
      const [offer] = await Promise.all([manager.withToken(beginOffer, request.id), loadRates()]);
      put(offer);
      setEdited(offer.number);
    });

  const latest = useRef(make);
  latest.current = make;
  useEffect(() => {
    const begin = () => {
      if (takeAsked(request.id)) void latest.current();
    };
    begin();
    addEventListener(makeOfferEvent, begin);
    return () => removeEventListener(makeOfferEvent, begin);
  }, [request.id]);

  const reloadAll = () => {
    reload();
    reloadOffers();
  };
  const close = () => {
    setEdited('');
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('button')?.focus());
  };

  return (
    <section ref={box} className="offers" aria-labelledby="offers-title">
      <h3 id="offers-title">Offers</h3>
      <FormAlert text={failed || alert} />
      {shown && rates ? (
        <OfferEditor
          key={shown.number}
          request={request}
          offer={shown}
          rates={rates}
          stored={put}
          reload={reloadAll}
          close={close}
        />
      ) : (
        <>
          <ul className="plain-list">
            {(offers ?? []).map((offer) => (
              <li key={offer.number}>
                <OfferCard offer={offer} put={put} reload={reloadAll} edit={() => edit(offer.number)} />
              </li>
            ))}
          </ul>
          {offers && !request.held ? (
            <Button look="line" className="button-small" disabled={busy} onClick={make}>
              {draft ? 'Go on with the draft' : offers.length ? 'Make another offer' : 'Make an offer'}
            </Button>
          ) : null}
        </>
      )}
    </section>
  );
}

// The offers of a request, read again when the request changes, and the rates they are made with.

/** Read again when `events` changes, the number of the request's events. */
function useOffers(request: string, events: number) {
  const { manager } = useAuth();
  const [offers, setOffers] = useState<Offer[]>();
  const [rates, setRates] = useState<RatesInForce>();
  const [alert, setAlert] = useState('');
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isCurrent = true;
    manager.withToken(listRequestOffers, request).then(
      (found) => {
        if (!isCurrent) return;
        setOffers(found.offers);
        setAlert('');
      },
      (error) => isCurrent && setAlert(errorMessage(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [manager, request, events, attempt]);

  /** Shows an offer as the server has it now. */
  const put = useCallback(
    (offer: Offer) =>
      setOffers((now = []) =>
        [offer, ...now.filter(({ number }) => number !== offer.number)].sort(newestFirst),
      ),
    [],
  );

  /** The rates as they are now. */
  const loadRates = useCallback(async () => setRates(await manager.withToken(readRates)), [manager]);

  return { offers, rates, alert, put, loadRates, reload: () => setAttempt((count) => count + 1) };
}

const newestFirst = (a: Offer, b: Offer) => b.created_at.localeCompare(a.created_at);
