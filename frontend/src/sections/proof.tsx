// What a buyer checks before signing, and where to ask for the papers. The server removes samples
// from a public site by their `data-if` (docs/architecture.md, "Facts").
import seed from '@seeds/site/proof.json';
import { sampleCondition, shownEntries } from '../content/conditions';
import { filled } from '../content/filled';
import { ButtonLink } from '../ui/button';
import { type Row, Rows } from './rows';
import { Section } from './section';

export const proof = /* @__PURE__ */ filled(seed);

/** What is said of our licenses where no state is meant. */
const licenses = { title: 'Licenses', text: <a href="/licensing">Our number in your state</a> };

export function Proof({ license = licenses }: { license?: Row }) {
  const facts = shownEntries(proof).shown.map(({ sample, fact, text }) => ({
    title: fact,
    text,
    condition: sampleCondition({ sample }),
  }));
  return (
    <Section id="proof" kicker="Before you sign" title="Facts you can check">
      <Rows of={[...facts, license]} look="sheet" />
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
