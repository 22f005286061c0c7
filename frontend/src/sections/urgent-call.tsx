// The urgent call to action that ends the contact section.
import { CallAndQuote } from './call-and-quote';

export default function UrgentCall() {
  return (
    <div className="urgent-call band-ink">
      <div>
        <h2>Need Security Services Right Now?</h2>
        <p className="muted">
          Call to speak with a dispatcher, or tell us what you need and get a written price.
        </p>
      </div>
      <CallAndQuote label="Get Instant Quote" />
    </div>
  );
}
