// The insurance page: what is covered, a sample certificate, and additional insureds.
import { coverages, insurance } from '../content/office';
import { Scene } from '../scenes/scene';
import { Beside } from '../sections/beside';
import { CallAndQuote } from '../sections/call-and-quote';
import { Certificate } from '../sections/certificate';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { Proof, proof } from '../sections/proof';
import { Figure, Rows, Steps } from '../sections/rows';
import { SampleNote } from '../sections/sample-note';
import '../styles/inner.css';
import '../styles/sections/certificate.css';

export default function Insurance() {
  const { heading, lead, additional, steps } = insurance;
  return (
    <>
      <SampleNote of={proof} />
      <DarkBand picture={<Scene name="insurance" />}>
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        <CallAndQuote label="Get Free Quote" />
      </DarkBand>
      <Proof />
      <Beside id="coverages" kicker="Coverage" title="What is covered" background="mist">
        <Rows
          of={coverages.map(({ title, text, limit }) => ({
            title,
            text: limit ? <Figure of={limit}>{text}</Figure> : text,
          }))}
        />
      </Beside>
      <Beside id="certificate" kicker="Certificate" title="What to look for">
        <Certificate />
      </Beside>
      <Beside id="additional" kicker="Your protection" title="Additional insureds" background="mist">
        <Rows of={additional} />
      </Beside>
      <Beside id="certificate-steps" kicker="Four steps" title="How to get yours">
        <Steps of={steps} />
        <p>
          Related: <a href="/licensing">licenses by state</a>, <a href="/prices">what affects the price</a>,{' '}
          <a href="/about#credentials">our credentials</a>
        </p>
      </Beside>
      <NextStep
        title="Send us your requirements"
        text="Paste the insurance requirements from your contract into the form. We’ll answer each one, along with the price."
        label="Get Free Quote"
      />
    </>
  );
}
