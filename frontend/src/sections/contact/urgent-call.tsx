// The urgent call to action that ends the contact section.
import { company } from '../../company';
import { CallAndQuote } from '../call-and-quote';

export default function UrgentCall() {
  return (
    <div className="actions urgent-call band-ink">
      <div>
        <h2>Need Security Services Right Now?</h2>
        <p className="muted">
          {`Call and speak with a dispatcher. Or use the form: dispatch gets it instantly, and we answer within ${company.promise_answer}.`}
        </p>
      </div>
      <CallAndQuote label="Get Instant Quote" />
    </div>
  );
}
