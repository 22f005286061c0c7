// The About page: figures, mission and credentials.
import { profile } from '../content/profile';
import { Scene } from '../scenes/scene';
import { Beside } from '../sections/beside';
import { DarkBand } from '../sections/dark-band';
import { ContactToday, Credentials } from '../sections/home/about';
import { NextStep } from '../sections/next-step';
import { Proof, proof } from '../sections/proof';
import { Rows } from '../sections/rows';
import { SampleNote } from '../sections/sample-note';
import { Section } from '../sections/section';
import { ShiftReport } from '../sections/shift-report';
import { marked } from '../ui/marked';
import { Stats } from '../ui/stats';
import '../styles/inner.css';
import '../styles/sections/certificate.css';

const { mission, stats, hiring, offices } = profile;
const [work = '', purpose = '', ...more] = mission.paragraphs;

export default function About() {
  return (
    <>
      <SampleNote of={proof} />
      <DarkBand picture={<Scene name="about" />} footer={<Stats of={stats} />}>
        <p className="log-line">
          <span>{mission.kicker}</span>
        </p>
        <h1>Who we are and how we work</h1>
        <p className="lead">{marked(work)}</p>
        <ContactToday look="signal" />
      </DarkBand>
      <section className="band" aria-labelledby="mission">
        <div className="column">
          <h2 id="mission">Our mission</h2>
          <div className="split">
            <p className="lead">{marked(purpose)}</p>
            <div>
              {more.map((text) => (
                <p key={text}>{marked(text)}</p>
              ))}
            </div>
          </div>
          <Rows of={mission.commitments} look="commitments thirds" />
        </div>
      </section>
      <Beside
        id="hiring"
        kicker="Our officers"
        title="How we hire, train and supervise"
        background="mist"
        scene="lockers"
      >
        <Rows of={hiring} />
      </Beside>
      <Proof />
      <ShiftReport />
      <Section id="offices" kicker="Locations" title="Our offices">
        <Rows of={offices} look="commitments thirds" />
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
        text="Tell us the state. We’ll send our license number, a certificate of insurance and a written price before the first shift."
        label="Get Free Quote"
      />
    </>
  );
}
