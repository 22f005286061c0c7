// The last word of the contact section, for those who cannot wait for an answer.
import { company } from '../company';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';

export default function RightNow() {
  return (
    <div className="right-now band-ink">
      <div>
        <h2>Need Security Services Right Now?</h2>
        <p className="muted">
          Call and speak to the dispatch desk, or describe the post and get a written price.
        </p>
      </div>
      <div className="actions">
        <ButtonLink href={company.phone_href}>
          <Icon name="phone" />
          {`Call ${company.phone}`}
        </ButtonLink>
        <ButtonLink href="/quote" look="line">
          Get Instant Quote
        </ButtonLink>
      </div>
    </div>
  );
}
