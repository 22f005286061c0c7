// The calls about offers and the rates that they are made with.
import { callApi, download, post, remove } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Offer = Schemas['Offer'];
export type OfferDraft = Schemas['OfferDraft'];
export type OfferPage = Schemas['OfferPage'];
export type OfferPrice = Schemas['OfferPrice'];
export type OfferVersion = Schemas['OfferVersion'];
export type OfficerClass = Schemas['OfficerClass'];
export type OvertimeRules = Schemas['OvertimeRules'];
export type OvertimeTier = Schemas['OvertimeTier'];
export type Post = Schemas['Post'];
export type RateCard = Schemas['RateCard'];
export type Rates = Schemas['Rates'];
export type RatesInForce = Schemas['RatesInForce'];
export type Schedule = Schemas['Schedule'];
export type Terms = Schemas['Terms'];
export type Weekday = Schemas['Weekday'];

const base = '/api/admin/offers';
const pathOf = (number: string) => `${base}/${encodeURIComponent(number)}`;

/** The offers that pass the filters of `query`, after the first `skip`. */
export const listOffers = (token: string, query: Record<string, string>, skip: number) =>
  callApi<OfferPage>(`${base}?${new URLSearchParams({ ...query, skip: String(skip) })}`, { token });

export const listRequestOffers = (token: string, request: string) =>
  callApi<{ offers: Offer[] }>(`/api/admin/inbox/${request}/offers`, { token });

export const beginOffer = (token: string, request: string) =>
  callApi<Offer>(`/api/admin/inbox/${request}/offers`, post(token));

/** `revision` is that of the draft it replaces. */
export const saveOffer = (
  token: string,
  number: string,
  revision: number,
  draft: OfferDraft,
  keepalive = false,
) => callApi<Offer>(pathOf(number), { method: 'PUT', token, body: { revision, draft }, keepalive });

/** By the published rates, or by a `card`. */
export const priceOffer = (token: string, draft: OfferDraft, card?: RateCard) =>
  callApi<OfferPrice>(`${base}/price`, post(token, { draft, card }));

export const discardOffer = (token: string, number: string) => callApi<void>(pathOf(number), remove(token));

/** The address of the customer's page of the draft; its PDF is at `/offer.pdf` below it. */
export const makeOfferPreview = (token: string, number: string) =>
  callApi<{ url: string }>(`${pathOf(number)}/preview`, post(token));

type ToSend = Schemas['SendOffer'];

/** `after` is the version before it, 0 if it is the first; `total_cents` what was shown. */
export const sendOffer = (token: string, number: string, body: ToSend) =>
  callApi<Offer>(`${pathOf(number)}/send`, post(token, body));

export const withdrawOffer = (token: string, number: string, reason: string) =>
  callApi<Offer>(`${pathOf(number)}/withdraw`, post(token, { reason }));

export const answerOffer = (token: string, number: string, answer: Schemas['AnswerOffer']) =>
  callApi<Offer>(`${pathOf(number)}/answer`, post(token, answer));

/** The posts of an accepted offer are staffed. */
export const confirmOffer = (token: string, number: string) =>
  callApi<Offer>(`${pathOf(number)}/confirm`, post(token));

export const readOfferFile = (token: string, number: string, version: number, part: string) =>
  download(`${pathOf(number)}/versions/${version}/${part}`, token);

const rates = '/api/admin/rates';

export type RateVersion = Schemas['RateVersion'];

export const listRateVersions = (token: string) =>
  callApi<{ versions: RateVersion[] }>(`${rates}/versions`, { token });

/** The rates of a version; 0 is the sample. */
export const readRateVersion = (token: string, version: number) =>
  callApi<{ rates: Rates }>(`${rates}/versions/${version}`, { token });

export const readRates = (token: string) => callApi<RatesInForce>(rates, { token });

/** `revision` is that of the draft it replaces, 0 if there is none. */
export const saveRates = (token: string, revision: number, value: Rates, keepalive = false) =>
  callApi<RatesInForce>(`${rates}/draft`, {
    method: 'PUT',
    token,
    body: { revision, rates: value },
    keepalive,
  });

export const discardRates = (token: string, revision: number) =>
  callApi<RatesInForce>(`${rates}/draft?revision=${revision}`, remove(token));

export const publishRates = (token: string, revision: number) =>
  callApi<RatesInForce>(`${rates}/publish`, post(token, { revision }));
