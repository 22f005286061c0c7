// The offers of a view that have the words of a search. They are read again when requests change
// elsewhere, as many as are shown; a view that was shown before shows its rows at once.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { listOffers, type OfferPage } from '../../api/offers';
import { coalesce } from '../live/coalesce';
import { useLive } from '../live/use-live';
import { useAuth } from '../session/provider';
import { errorMessage } from '../ui/use-submit';

type Pages = { words: string; byView: Record<string, OfferPage> };

export function useOfferList(view: string, words: string) {
  const { manager } = useAuth();
  const [pages, setPages] = useState<Pages>({ words, byView: {} });
  const [alert, setAlert] = useState('');
  const known = pages.words === words ? pages.byView : {};
  const page = known[view];
  const shown = page?.offers.length ?? 0;
  const latest = useRef({ view, words, shown });
  latest.current = { view, words, shown };

  /** Reads the rows that are shown, and those of the next page if there are to be `more`. */
  const read = useCallback(
    async (more = 0) => {
      const { view, words, shown } = latest.current;
      try {
        const page = await manager.withToken((token) => readOffers(token, view, words, shown + more));
        if (words === latest.current.words) {
          setPages((before) => ({
            words,
            byView: { ...(before.words === words ? before.byView : {}), [view]: page },
          }));
        }
        setAlert('');
      } catch (error) {
        setAlert(errorMessage(error));
      }
    },
    [manager],
  );
  useEffect(() => void read(), [read, view, words]);
  const changed = useMemo(() => coalesce<string>(() => read()), [read]);
  useLive(() => changed(['any']));

  const counts = (page ?? Object.values(known).at(0))?.counts;
  return { page, counts, alert, more: () => void read(1) };
}

/** At least `count` offers, if there are as many, in whole pages. */
async function readOffers(token: string, view: string, words: string, count: number): Promise<OfferPage> {
  let page = await listOffers(token, view, words, 0);
  while (page.has_more && page.offers.length < count) {
    const next = await listOffers(token, view, words, page.offers.length);
    page = { ...next, offers: [...page.offers, ...next.offers] };
  }
  return page;
}
