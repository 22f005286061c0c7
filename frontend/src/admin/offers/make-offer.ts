/** The event by which a key of the dashboard begins an offer for the open request. */
export const makeOfferEvent = 'guardpost:make-offer';
