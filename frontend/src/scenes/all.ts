// All scenes by name, as in seeds/site/services.json and the media folder.
import { Concierge } from './concierge';
import { Construction } from './construction';
import { Events } from './events';
import { FireWatch } from './fire-watch';
import { Guards } from './guards';
import { GuardPost } from './hero';
import { Patrol } from './patrol';
import { Surveillance } from './surveillance';

export const scenes = {
  hero: GuardPost,
  'fire-watch': FireWatch,
  guards: Guards,
  patrol: Patrol,
  surveillance: Surveillance,
  concierge: Concierge,
  events: Events,
  construction: Construction,
} as const;
