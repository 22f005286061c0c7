// The head of the quote page. Who cannot wait calls: the number comes before the form.
import { company } from '../company';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';
import { PageHead } from './page-head';

export default function QuoteHead() {
  return (
    <PageHead
      title="Get Your Free Security Quote"
      lead="Fire watch tonight, or an emergency? Call us first: we answer day and night."
      scene="quote"
    >
      <p className="actions">
        <ButtonLink href={company.phone_href}>
          <Icon name="phone" />
          {`Call ${company.phone}`}
        </ButtonLink>
      </p>
      <p>{`For everything else, tell us where, when and for how long. We answer within ${company.promise_answer}, free, with no obligation.`}</p>
    </PageHead>
  );
}
