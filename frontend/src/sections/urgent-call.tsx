// The last word of the contact section, for those who cannot wait for an answer.
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
