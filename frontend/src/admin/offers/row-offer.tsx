// What the last offer of a request is worth, in its row of the list.
import type { OfferVersion } from '../../api/offers';
import { stateText, valueText } from './words';

type Listed = Pick<OfferVersion, 'state' | 'total_cents' | 'is_weekly'>;

export function RowOffer({ request: { offer } }: { request: { offer?: Listed | null } }) {
  if (!offer) return null;
  return (
    <span
      className="row-offer"
      data-state={offer.state}
      title={`Offer: ${stateText[offer.state] ?? offer.state}`}
    >
      <span className="visually-hidden">{`Offer, ${stateText[offer.state] ?? offer.state}: `}</span>
      {valueText(offer)}
    </span>
  );
}
