// The static part of the careers page, above its form.
import { careers } from '../content/office';
import { Scene } from '../scenes/scene';
import { ButtonLink } from '../ui/button';
import { Beside } from './beside';
import { DarkBand } from './dark-band';
import { Rows, Steps } from './rows';

const guardCard = [
  { title: 'Issued by', text: 'Your state’s licensing authority' },
  { title: 'Holder', text: 'Your name, as on your ID' },
  { title: 'Class', text: 'Unarmed, or armed with a separate permit' },
  { title: 'Valid through', text: 'Renew it before this day' },
];

export default function CareersContent() {
  const { heading, lead, jobs, steps } = careers;
  return (
    <>
      <DarkBand picture={<Scene name="careers" />}>
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        <p className="actions">
          <ButtonLink href="#apply">Apply now</ButtonLink>
        </p>
      </DarkBand>
      <Beside id="jobs" kicker="Jobs" title="The jobs we hire for">
        <Rows of={jobs} />
      </Beside>
      <Beside id="guard-card" kicker="Guard card" title="What a guard card shows" background="mist">
        <figure className="certificate guard-card">
          <figcaption>Sample guard card (not valid)</figcaption>
          <svg viewBox="0 0 64 80" width="112" height="140" aria-hidden="true">
            <path fill="#d7dee6" d="M0 0h64v80H0z" />
            <path fill="#41526a" d="M10 80c0-18 8-24 22-24s22 6 22 24zM32 18a14 16 0 1 0 .1 0z" />
          </svg>
          <Rows of={guardCard} look="sheet" />
        </figure>
        <p>
          Most states issue one, under different names. <a href="/licensing">Who issues it in your state</a>
        </p>
      </Beside>
      <Beside id="steps" kicker="Hiring" title="How we hire">
        <Steps of={steps} />
      </Beside>
    </>
  );
}
