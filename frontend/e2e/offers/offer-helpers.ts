// Offers for tests: sent by the API.
import type { APIRequestContext } from '@playwright/test';
import { createQuote, uniqueLocation } from '../desk-helpers';
import { admin, expect } from '../fixtures';

/** Publishes the rates if none are; returns what calls the API. */
export async function publishedRates(request: APIRequestContext) {
  const session = await request.post('/auth/v1/token?grant_type=password', { data: admin });
  const { access_token } = await session.json();
  const call = async (method: string, path: string, data?: unknown) => {
    const headers = { Authorization: `Bearer ${access_token}` };
    const answer = await request.fetch(`/api/admin${path}`, { method, headers, data });
    expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true);
    return answer.json();
  };
  const { is_sample, rates, draft } = await call('GET', '/rates');
  if (is_sample) {
    const revision = draft?.revision ?? 0;
    const insurance = 'General liability $1,000,000 each occurrence';
    await call('PUT', '/rates/draft', { revision, rates: { ...rates, insurance } });
    await call('POST', '/rates/publish', { revision: revision + 1 });
  }
  return call;
}

/** Begins an offer for a new request and sends it, with published rates. */
export async function sentOffer(request: APIRequestContext) {
  const call = await publishedRates(request);
  const place = uniqueLocation();
  const id = await createQuote(request, place);
  let begun = await call('POST', `/inbox/${id}/offers`, {});
  const draft = { ...begun.draft, unconfirmed_schedules: [] };
  begun = await call('PUT', `/offers/${begun.number}`, { revision: begun.revision, draft });
  const body = { revision: begun.revision, after: 0 };
  const { number, link } = await call('POST', `/offers/${begun.number}/send`, body);
  return { id, place, number: number as string, link: link as string };
}
