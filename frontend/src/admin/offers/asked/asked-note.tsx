// What the draft of an offer took from the customer's words, for a person to check.
import type { Offer } from '../../../api/offers';
import { askedText } from './asked-text';

export function AskedNote({ asked }: Pick<Offer, 'asked'>) {
  return <p className="muted offer-asked">{askedText(asked)}</p>;
}
