// The head of Home: headline, calls to action and figures.
import { profile } from '../content/profile';
import { Scene } from '../scenes/scene';
import { Stats } from '../ui/stats';
import { CallAndQuote } from './call-and-quote';
import { DarkBand } from './dark-band';

export function Hero() {
  return (
    <DarkBand id="home" tall picture={<Scene name="hero" />} footer={<Stats of={profile.figures} />}>
      <h1>Security guards on post, day and night, in all 50 states</h1>
      <p className="lead">
        Fire watch in 2 to 4 hours. Armed and unarmed guards, patrol, surveillance and concierge officers in
        24 to 48. Licensed, insured and bonded.
      </p>
      <CallAndQuote label="Get Quote Now" />
    </DarkBand>
  );
}
