// Everything on Home above the contact section, as one static island.
import { clients, testimonials } from '../../content/clients';
import { press } from '../../content/press';
import { SampleNote } from '../sample-note';
import { About } from './about';
import { Clients } from './clients';
import { Faq } from './faq';
import { Hero } from './hero';
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
