// The quote named in the URL: from the list if it is there, else fetched by its id (emails link to single quotes).
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { type Quote, readQuote } from '../../api/quotes';
import { useAuth } from '../session/provider';

export type OpenQuoteState = { quote: Quote | undefined; missing: boolean; failed: boolean; again(): void };

/** `listed` is the quote as the list has it, `latest` the answer to a move of a quote that is not on the list. */
export function useOpenQuote(
  id: string | undefined,
  listed: Quote | undefined,
  latest: Quote | undefined,
): OpenQuoteState {
  const { manager } = useAuth();
  const [found, setFound] = useState<{ id: string; quote?: Quote; missing?: boolean }>();
  const [asked, setAsked] = useState(0);
  const ask = id !== undefined && listed === undefined;

  useEffect(() => {
    if (!ask) return;
    const abort = new AbortController();
    manager
      .withToken((token) => readQuote(token, id, abort.signal))
      .then((quote) => setFound({ id, quote }))
      .catch((error) => {
        if (abort.signal.aborted) return;
        const missing =
          error instanceof ApiError && (error.status === 404 || error.status === 400 || error.status === 422);
        setFound({ id, missing });
      });
    return () => abort.abort();
  }, [manager, id, ask, asked]);

  const mine = found?.id === id ? found : undefined;
  return {
    quote: listed ?? (latest?.id === id ? latest : mine?.quote),
    missing: mine?.missing === true,
    failed: mine !== undefined && !mine.quote && !mine.missing,
    again: () => {
      setFound(undefined);
      setAsked((count) => count + 1);
    },
  };
}
