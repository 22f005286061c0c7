// Everything on Home above the contact section, as one static island.

import { clients, testimonials } from '../../content/clients';
import { press } from '../../content/press';
import { profile } from '../../content/profile';
import { Scene } from '../../scenes/scene';
import { Stats } from '../../ui/stats';
import { CallAndQuote } from '../call-and-quote';
import { DarkBand } from '../dark-band';
import { SampleNote } from '../sample-note';
import { About } from './about';
import { Clients } from './clients';
import { Faq } from './faq';
import { News } from './news';
import { Services } from './services';
import { StatesGrid } from './states-grid';
import { Testimonials } from './testimonials';

export default function HomeContent() {
  return (
    <>
      <SampleNote of={[...clients, ...testimonials, ...press]} />
      <Hero />
      <Services />
      <About />
      <Clients />
      <Testimonials />
      <Faq />
      <StatesGrid />
      <News />
    </>
  );
}

/** The head of Home: headline, calls to action and figures. */
function Hero() {
  return (
    <DarkBand id="home" tall picture={<Scene name="hero" />} footer={<Stats of={profile.stats} />}>
      <h1>{profile.hero.heading}</h1>
      <p className="lead">{profile.hero.lead}</p>
      <CallAndQuote label="Get Quote Now" />
    </DarkBand>
  );
}
