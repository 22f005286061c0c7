// The About page: figures, mission and credentials.
import { fillPlaceholders } from '../company';
import { profile } from '../content/profile';
import { Scene } from '../scenes/scene';
import { ContactToday, Credentials, Mission, Promises } from '../sections/about';
import { DarkBand } from '../sections/dark-band';
import { NextStep } from '../sections/next-step';
import { Section } from '../sections/section';
import { Stats } from '../ui/stats';

const { mission, figures } = profile;

export default function About() {
  return (
    <>
      <DarkBand picture={<Scene name="guards" />} footer={<Stats of={figures} />}>
        <p className="log-line">
          <span>{mission.kicker}</span>
        </p>
        <h1>{mission.heading}</h1>
        <p className="lead">{fillPlaceholders(mission.lead)}</p>
        <ContactToday look="signal" />
      </DarkBand>
      <section className="band" aria-labelledby="mission">
        <div className="column split">
          <div>
            <h2 id="mission">Our mission</h2>
            <p className="lead">{mission.paragraphs[0]}</p>
          </div>
          <div>
            <Mission />
          </div>
        </div>
        <div className="column">
          <Promises />
        </div>
      </section>
      <Section id="credentials" kicker="Credentials" title="What we can show for it" background="mist">
        <Credentials />
      </Section>
      <NextStep
        title="Ask to see the papers"
        text="Say in which state the post is. The license, the certificate of insurance and the price reach you in writing, before the first shift."
        label="Get Free Quote"
      />
    </>
  );
}
