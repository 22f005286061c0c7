// The offers of a view that pass its filters. They are read again when requests change
// elsewhere, as many as are shown; a view that was shown before shows its rows at once.
import { useEffect, useMemo, useRef, useState } from 'react';
import { listOffers, type OfferPage } from '../../../api/offers';
import { useLive } from '../../live/live-provider';
import { useAuth } from '../../session/provider';
import { coalesce } from '../../ui/use-attempt';
import { errorMessage } from '../../ui/use-submit';
import { type OffersUrl, offersQuery } from './offers-url';

/** The pages that were read with the same filters, by view. */
type Pages = { filters: string; byView: Record<string, OfferPage> };

export function useOfferList(url: OffersUrl) {
  const { manager } = useAuth();
  const { view } = url;
  const filters = JSON.stringify(url.filters);
  const [pages, setPages] = useState<Pages>({ filters, byView: {} });
  const [alert, setAlert] = useState('');
  const known = pages.filters === filters ? pages.byView : {};
  const page = known[view];
  const shown = page?.offers.length ?? 0;
  const latest = useRef({ url, filters, shown });
  latest.current = { url, filters, shown };

  /** Reads the rows that are shown, and those of the next page if any of `more` is 1. */
  const read = useMemo(
    () =>
      coalesce<0 | 1>(async (more) => {
        const { url, filters, shown } = latest.current;
        try {
          const page = await manager.withToken(readOffers, url, shown + Math.max(...more));
          if (filters === latest.current.filters) {
            setPages((before) => ({
              filters,
              byView: { ...(before.filters === filters ? before.byView : {}), [url.view]: page },
            }));
          }
          setAlert('');
        } catch (error) {
          setAlert(errorMessage(error));
        }
      }),
    [manager],
  );
  useEffect(() => read([0]), [read, view, filters]);
  useLive(() => read([0]));

  const byView = (page ?? Object.values(known).at(0))?.counts;
  const counts: Record<string, number> | undefined = byView && { ...byView, all: total(byView) };
  return { page, counts, alert, more: () => read([1]), reload: () => read([0]) };
}

/** Those that expire soon are among those that wait, the unconfirmed ones among the accepted. */
function total(counts: Record<string, number>): number {
  const each = Object.entries(counts).map(([view, count]) =>
    view === 'expiring' || view === 'unconfirmed' ? 0 : count,
  );
  return each.reduce((sum, count) => sum + count, 0);
}

/** At least `count` offers, if there are as many, in whole pages. */
async function readOffers(token: string, url: OffersUrl, count: number): Promise<OfferPage> {
  const query = offersQuery(url);
  let page = await listOffers(token, query, 0);
  while (page.has_more && page.offers.length < count) {
    const next = await listOffers(token, query, page.offers.length);
    page = { ...next, offers: [...page.offers, ...next.offers] };
  }
  return page;
}
