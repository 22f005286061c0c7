// The offers of a request, read again when the request changes, and the rates they are made with.
import { useCallback, useEffect, useState } from 'react';
import { listRequestOffers, type Offer, type RatesState, readRates } from '../../api/offers';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';

/** Read again when `events` changes, the number of the request's events. */
export function useOffers(request: string, events: number) {
  const { manager } = useAuth();
  const [offers, setOffers] = useState<Offer[]>();
  const [rates, setRates] = useState<RatesState>();
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
