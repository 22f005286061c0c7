// Where the visit that led to a request came from.
import type { Attribution } from '../../api/inbox-types';
import { Fact } from './fact';

export function CameFrom(from: Attribution) {
  const facts: [string, string | undefined][] = [
    ['First page', from.landing],
    ['Linked from', from.referrer_host],
    ['Source', from.utm_source],
    ['Medium', from.utm_medium],
    ['Campaign', from.utm_campaign],
    ['Keyword', from.utm_term],
    ['Variant', from.utm_content],
    ['Ad click', from.gclid],
  ];
  const known = facts.filter(([, value]) => value);
  if (known.length === 0) return <p className="muted">Direct or unknown</p>;
  return (
    <dl className="request-facts">
      {known.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}
