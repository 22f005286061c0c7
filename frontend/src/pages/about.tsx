// The About page: the about and mission section, as a page.
import { profile } from '../content/profile';
import { About } from '../sections/about';
import { Figures } from '../ui/figures';

export default function AboutPage() {
  return (
    <>
      <About first />
      <section className="band band-ink" aria-label="Figures">
        <div className="column">
          <Figures of={profile.figures} />
        </div>
      </section>
    </>
  );
}
