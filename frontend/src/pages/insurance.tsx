// The insurance page: what is covered, a sample certificate, and additional insureds.
import { coverages, insurance } from '../content/office';
import { Scene } from '../scenes/scene';
import { Beside } from '../sections/beside';
import { CallAndQuote } from '../sections/call-and-quote';
import { Certificate } from '../sections/certificate';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { Rows, Steps } from '../sections/rows';
import '../styles/inner.css';
import '../styles/sections/certificate.css';

export default function Insurance() {
  const { heading, lead, additional, steps } = insurance;
  return (
    <>
      <DarkBand picture={<Scene name="construction" />}>
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        <CallAndQuote label="Get Free Quote" />
      </DarkBand>
      <Beside id="coverages" kicker="Coverage" title="What is covered">
        <Rows
          of={coverages.map(({ title, text, limit }) => ({
            title,
            text: limit ? (
              <>
                <strong>{limit}</strong>
                <br />
                {text}
              </>
            ) : (
              text
            ),
          }))}
        />
      </Beside>
      <Beside id="certificate" kicker="Certificate" title="What to look for" background="mist">
        <Certificate />
      </Beside>
      <Beside id="additional" kicker="Your protection" title="Additional insureds">
        <Rows of={additional} />
      </Beside>
      <Beside id="certificate-steps" kicker="Four steps" title="How to get yours" background="mist">
        <Steps of={steps} />
        <p>
          Related: <a href="/licensing">licenses by state</a>, <a href="/prices">what affects the price</a>,{' '}
          <a href="/about#credentials">our credentials</a>
        </p>
      </Beside>
      <NextStep
        title="Send us your requirements"
        text="Paste the insurance requirements from your contract into the form. We answer each one, along with the price."
        label="Get Free Quote"
      />
    </>
  );
}
