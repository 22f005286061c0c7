// What a buyer checks before signing, and where to ask for the papers. The server removes samples
// from a public site by their `data-if` (docs/architecture.md, "Facts").
import seed from '@seeds/site/proof.json';
import { sampleCondition, shownEntries } from '../content/conditions';
import { filled } from '../content/filled';
import { ButtonLink } from '../ui/button';
import { Section } from './section';

export const proof = /* @__PURE__ */ filled(seed);

export function Proof() {
  return (
    <Section id="proof" kicker="Before you sign" title="Facts you can check">
      <dl className="proof">
        {shownEntries(proof).shown.map(({ sample, fact, text }) => (
          <div key={fact} data-if={sampleCondition({ sample })}>
            <dt>{fact}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>Licenses</dt>
          <dd>
            <a href="/licensing">Our number in your state</a>
          </dd>
        </div>
      </dl>
      <p className="actions">
        <ButtonLink href="/contact?service=certificate" look="ink">
          Ask for a certificate or vendor packet
        </ButtonLink>
        <ButtonLink href="/about#shift-report" look="quiet">
          See a shift report
        </ButtonLink>
      </p>
    </Section>
  );
}
