// All scenes by name, as in seeds/site/services.json and the media folder.

import { FireWatch, Surveillance } from './fire-watch';
import { GuardPost, Guards, Patrol } from './guards';
import { Concierge, Construction, Events } from './sites';

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
