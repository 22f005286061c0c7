// The price of a draft, which the server makes shortly after the last key. Until then the last one
// stays.
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { type OfferDraft, type OfferPrice, priceOffer, type RateCard } from '../../api/offers';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';
import type { Faults } from './draft';

/** The pause after which a change is priced, in milliseconds; the first price has none. */
const pricePause = 200;

/** What the server says of a draft: its price, or what is wrong with it. */
type Answer = { price?: OfferPrice; faults: Faults };

export type Pricing = ReturnType<typeof usePrice>;

/**
 * Prices a draft by the published rates, or by a `card`. There is no draft while it cannot be read.
 */
export function usePrice(draft: OfferDraft | undefined, card?: RateCard) {
  const { manager } = useAuth();
  // Who has confirmed a schedule changes no price.
  const asked = draft && JSON.stringify({ draft: { ...draft, unconfirmed_schedules: [] }, card });
  const [found, setFound] = useState<Answer & { asked: string }>();
  const last = useRef<OfferPrice>(undefined);
  const latest = useRef(asked);
  latest.current = asked;

  async function ask(): Promise<Answer> {
    if (!draft || !asked) return { faults: {} };
    let answer: Answer;
    try {
      answer = { price: await manager.withToken(priceOffer, draft, card), faults: {} };
    } catch (error) {
      const fields = error instanceof ApiError ? error.details.fields : undefined;
      answer = { faults: fields ?? { price: `No price: ${errorMessage(error)}` } };
    }
    if (latest.current !== asked) return answer;
    last.current = answer.price ?? last.current;
    setFound({ ...answer, asked });
    return answer;
  }

  const isCurrent = found?.asked === asked;
  useEffect(() => {
    if (!asked || isCurrent) return;
    const timer = setTimeout(ask, found ? pricePause : 0);
    return () => clearTimeout(timer);
  }, [asked, isCurrent]);

  return {
    /** The price that was made last. */
    price: last.current,
    /** Whether the server has not answered yet. */
    waits: asked !== undefined && !isCurrent,
    /** What is wrong with the draft, by field; until the server answers, with the one before. */
    faults: found?.faults ?? {},
    /** The answer of the server for the draft as it is. */
    settled: async (): Promise<Answer> => (found && isCurrent && !('price' in found.faults) ? found : ask()),
  };
}
