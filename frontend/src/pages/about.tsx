// The About page: figures, mission and credentials.
import { profile } from '../content/profile';
import { Scene } from '../scenes/scene';
import { Beside } from '../sections/beside';
import { DarkBand } from '../sections/dark-band';
import { Facts } from '../sections/facts';
import { Commitments, ContactToday, Credentials, Mission } from '../sections/home/about';
import { NextStep } from '../sections/next-step';
import { Rows } from '../sections/rows';
import { Section } from '../sections/section';
import { marked } from '../ui/marked';
import { Stats } from '../ui/stats';
import '../styles/inner.css';

const { mission, stats, hiring, offices } = profile;

export default function About() {
  return (
    <>
      <DarkBand picture={<Scene name="guards" />} footer={<Stats of={stats} />}>
        <p className="log-line">
          <span>{mission.kicker}</span>
        </p>
        <h1>{mission.heading}</h1>
        <p className="lead">{mission.lead}</p>
        <ContactToday look="signal" />
      </DarkBand>
      <section className="band" aria-labelledby="mission">
        <div className="column split">
          <div>
            <h2 id="mission">Our mission</h2>
            <p className="lead">{marked(mission.paragraphs[0] ?? '')}</p>
          </div>
          <div>
            <Mission />
          </div>
        </div>
        <div className="column">
          <Commitments />
        </div>
      </section>
      <Beside
        id="hiring"
        kicker="Our officers"
        title="How we hire, train and supervise"
        background="mist"
        scene="concierge"
      >
        <Rows of={hiring.map(({ title, text }) => ({ title, text: marked(text) }))} />
      </Beside>
      <Section id="offices" kicker="Locations" title="Our offices">
        <Facts of={offices} />
        <p>
          <a href="/locations">Find your state</a>
        </p>
      </Section>
      <Section id="credentials" kicker="Credentials" title="Our credentials" background="mist">
        <Credentials />
        <p>
          More: <a href="/licensing">licenses by state</a>,{' '}
          <a href="/insurance">insurance and certificates</a>, <a href="/careers">careers</a>
        </p>
      </Section>
      <NextStep
        title="Ask for our license and insurance"
        text="Tell us the state. You get our license number, a certificate of insurance and the price in writing before the first shift."
        label="Get Free Quote"
      />
    </>
  );
}
