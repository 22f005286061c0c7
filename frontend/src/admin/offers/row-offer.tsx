// What the last offer of a request is worth, in its row of the list.
import type { OfferVersion } from '../../api/offers';
import { stateText, valueText } from './words';

type Listed = Pick<OfferVersion, 'state' | 'total_cents' | 'is_weekly'> & { is_unconfirmed?: boolean };

export function RowOffer({ request: { offer } }: { request: { offer?: Listed | null } }) {
  if (!offer) return null;
  const state = offer.is_unconfirmed ? 'Accepted, to be confirmed' : (stateText[offer.state] ?? offer.state);
  return (
    <span className="row-offer" data-state={offer.state} title={`Offer: ${state}`}>
      <span className="visually-hidden">Offer: </span>
      <span className="row-offer-state">{state}, </span>
      <strong>{valueText(offer)}</strong>
    </span>
  );
}
