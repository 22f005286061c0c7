// The key that begins an offer for the open request. The form of the offer is loaded after the
// dashboard: what was asked for before is begun when it is there.

/** The event by which a key of the dashboard begins an offer for the open request. */
export const makeOfferEvent = 'guardpost:make-offer';

/** How long a request for an offer waits for the form, in milliseconds. */
const patience = 10_000;

let asked: { request: string; until: number } | undefined;

export function askForOffer(request: string) {
  asked = { request, until: Date.now() + patience };
  dispatchEvent(new Event(makeOfferEvent));
}

/** Whether an offer for the request was asked for a moment ago, and not begun. */
export function takeAsked(request: string): boolean {
  const isWanted = asked?.request === request && Date.now() < asked.until;
  asked = undefined;
  return isWanted;
}
