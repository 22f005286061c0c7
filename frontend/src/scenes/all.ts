// All scenes by name, as in seeds/site/services.json and the media folder: drawings of 640 by 400
// units with the ground at y 300, whose tones are classes of styles/scenes.css. The sky is the
// background color of `.scene`; a painted sky would show faint stripes where the scene fades into
// the page.
import about from './about.svg?raw';
import careers from './careers.svg?raw';
import closedGate from './closed-gate.svg?raw';
import community from './community.svg?raw';
import concierge from './concierge.svg?raw';
import construction from './construction.svg?raw';
import contact from './contact.svg?raw';
import emergency from './emergency.svg?raw';
import events from './events.svg?raw';
import fireLog from './fire-log.svg?raw';
import fireWatch from './fire-watch.svg?raw';
import guards from './guards.svg?raw';
import hero from './hero.svg?raw';
import insurance from './insurance.svg?raw';
import license from './license.svg?raw';
import locations from './locations.svg?raw';
import lockers from './lockers.svg?raw';
import patrol from './patrol.svg?raw';
import prices from './prices.svg?raw';
import quote from './quote.svg?raw';
import retail from './retail.svg?raw';
import surveillance from './surveillance.svg?raw';

export const scenes = {
  /** A guard post at night with one lit window and a road. */
  hero,
  /** A dark corridor, a hose cabinet, an alarm panel and a guard with a flashlight. */
  'fire-watch': fireWatch,
  /** A gatehouse with its lamp lit, a closed barrier and a guard. */
  guards,
  /** A patrol car on a dark lot; its searchlight moves along the shop fronts once. */
  patrol,
  /** A shop front at closing time, a loading dock with its door half open and a guard. */
  retail,
  /** A camera on its mast and its field of view between containers. */
  surveillance,
  /** The entrance of a neighborhood: the visitor log, a raised gate arm, houses, a patrol cart. */
  community,
  /** A lobby at night with the desk lamp on, an officer at the desk and the elevator open. */
  concierge,
  /** A broken shop window, a barricade, a light tower and a guard with a flashlight. */
  emergency,
  /** The stage front and two guards facing the crowd. */
  events,
  /** A tower crane, a building frame and a lit site cabin. */
  construction,
  /** The dispatch center: a map with lit sites, two monitors, a ringing phone and a dispatcher. */
  contact,
  /** A schedule on the wall with its nights lit, and an officer who explains it. */
  prices,
  /** A supervisor and an officer with the log of a shift, before a lit lobby. */
  about,
  /** An open locker with a uniform, radios in their chargers and a bag. */
  lockers,
  /** Officers in a row before a van, and a supervisor with a clipboard. */
  careers,
  /** A certificate, a rubber stamp and a desk lamp, whose light moves once. */
  insurance,
  /** A hand that shows a guard's license. */
  license,
  /** Two patrol cars below the signs of an interstate; the light of one moves once. */
  locations,
  /** A plan of a site on a table, with a flag on each post. */
  quote,
  /** An alarm panel with one lamp lit, and a hand that writes in the log of a fire watch. */
  'fire-log': fireLog,
  /** A locked gate below a lamp, and a sign that says to turn around. */
  'closed-gate': closedGate,
} as const;
