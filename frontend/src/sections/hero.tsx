// The first thing a visitor sees on Home: who we are, the number, the quote, and the figures.
import { company } from '../company';
import { profile } from '../content/profile';
import { Scene } from '../scenes/scene';
import { ButtonLink } from '../ui/button';
import { Figures } from '../ui/figures';
import { Icon } from '../ui/icon';

export function Hero() {
  return (
    <section id="home" className="hero band-ink">
      <div className="column hero-columns">
        <div className="hero-words">
          <h1>Security guards on post, day and night, in all 50 states</h1>
          <p className="lead muted">
            Fire watch in 2 to 4 hours. Armed and unarmed guards, patrol, surveillance and concierge officers
            in 24 to 48. Licensed, insured and bonded.
          </p>
          <div className="actions">
            <ButtonLink href={company.phone_href}>
              <Icon name="phone" />
              {`Call ${company.phone}`}
            </ButtonLink>
            <ButtonLink href="/quote" look="line">
              Get Quote Now
            </ButtonLink>
          </div>
        </div>
        <Scene name="hero" />
      </div>
      <div className="column">
        <Figures of={profile.figures} />
      </div>
    </section>
  );
}
