// The head of the quote page, with the phone number, because the form hides the bottom bar.
import { company } from '../company';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import { PageHead } from './page-head';

export default function QuoteHead() {
  return (
    <PageHead
      title="Get Your Free Security Quote"
      lead={`Tell us where, when and for how long. We answer within ${company.promise_answer}, free, with no obligation.`}
      scene="guards"
    >
      <p className="actions">
        <ButtonLink href={company.phone_href} look="line">
          <Icon name="phone" />
          {`Call ${company.phone}`}
        </ButtonLink>
      </p>
    </PageHead>
  );
}
