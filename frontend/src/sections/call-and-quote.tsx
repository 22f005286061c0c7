// The two calls to action: call, and request a quote.
import { company } from '../company';
import { ButtonLink } from '../ui/button';
import { Icon } from '../ui/icon';

export function CallAndQuote({ quote = '/quote', label }: { quote?: string | undefined; label: string }) {
  return (
    <div className="actions">
      <ButtonLink href={company.phone_href}>
        <Icon name="phone" />
        {`Call ${company.phone}`}
      </ButtonLink>
      <ButtonLink href={quote} look="line">
        {label}
      </ButtonLink>
    </div>
  );
}
