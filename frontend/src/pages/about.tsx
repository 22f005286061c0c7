// The About page: who we are, in figures, our mission, and what we can show for it.
import { fill } from '../company';
import { profile } from '../content/profile';
import { Scene } from '../scenes/scene';
import { ContactToday, Credentials, Mission, Promises } from '../sections/about';
import { NextStep } from '../sections/next-step';
import { Night } from '../sections/night';
import { Section } from '../sections/section';
import { Figures } from '../ui/figures';

const { mission, figures } = profile;

export default function About() {
  return (
    <>
      <Night picture={<Scene name="guards" />} foot={<Figures of={figures} />}>
        <p className="log-line">
          <span>{mission.kicker}</span>
        </p>
        <h1>{mission.heading}</h1>
        <p className="lead">{fill(mission.lead)}</p>
        <ContactToday look="signal" />
      </Night>
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
      <Section id="credentials" kicker="Credentials" title="What we can show for it" ground="mist">
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
