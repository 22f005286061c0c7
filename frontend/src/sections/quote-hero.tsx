// The head of the quote page: what the form gives, at a gate at night.
import { ScenePicture } from '../scenes/picture';

export default function QuoteHero() {
  return (
    <section className="quote-hero band-ink" aria-labelledby="quote-title">
      <div className="column">
        <h1 id="quote-title">Get Your Free Security Quote</h1>
        <p className="lead muted">
          Say where, when and for how long. A written price reaches you within 24 hours.
        </p>
      </div>
      <ScenePicture name="guards" />
    </section>
  );
}
