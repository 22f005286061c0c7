// The head of Home: headline, calls to action and figures.
import { profile } from '../../content/profile';
import { Scene } from '../../scenes/scene';
import { Stats } from '../../ui/stats';
import { CallAndQuote } from '../call-and-quote';
import { DarkBand } from '../dark-band';

export function Hero() {
  return (
    <DarkBand id="home" tall picture={<Scene name="hero" />} footer={<Stats of={profile.stats} />}>
      <h1>{profile.hero.heading}</h1>
      <p className="lead">{profile.hero.lead}</p>
      <CallAndQuote label="Get Quote Now" />
    </DarkBand>
  );
}
