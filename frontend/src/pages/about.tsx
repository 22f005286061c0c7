// The About page: the about and mission section, as a page.
import { About } from '../sections/about';
import { Figures } from '../sections/hero';

export default function AboutPage() {
  return (
    <>
      <About first />
      <section className="band band-ink" aria-label="Figures">
        <div className="column">
          <Figures />
        </div>
      </section>
    </>
  );
}
