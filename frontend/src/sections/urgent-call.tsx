// The urgent call to action that ends the contact section.
import { CallAndQuote } from './call-and-quote';

export default function UrgentCall() {
  return (
    <div className="urgent-call band-ink">
      <div>
        <h2>Need Security Services Right Now?</h2>
        <p className="muted">
          Call and speak to the dispatch desk, or describe the post and get a written price.
        </p>
      </div>
      <CallAndQuote label="Get Instant Quote" />
    </div>
  );
}
