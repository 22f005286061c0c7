// The static part of the careers page, above its form.
import { careers } from '../content/office';
import { Scene } from '../scenes/scene';
import { ButtonLink } from '../ui/button';
import { Checklist } from '../ui/checklist';
import { Beside } from './beside';
import { DarkBand } from './dark-band';
import { Rows, Steps } from './rows';

export default function CareersContent() {
  const { heading, lead, jobs, bring, steps } = careers;
  return (
    <>
      <DarkBand picture={<Scene name="guards" />}>
        <h1>{heading}</h1>
        <p className="lead">{lead}</p>
        <p className="actions">
          <ButtonLink href="#apply">Apply now</ButtonLink>
        </p>
      </DarkBand>
      <Beside id="jobs" kicker="Jobs" title="The jobs we hire for">
        <Rows of={jobs} />
      </Beside>
      <section className="band band-mist" aria-label="How it works">
        <div className="column split">
          <div className="card">
            <h2 className="list-title">What to have ready</h2>
            <Checklist items={bring} />
          </div>
          <div className="card">
            <h2 className="list-title">What happens next</h2>
            <Steps of={steps} />
          </div>
        </div>
      </section>
    </>
  );
}
