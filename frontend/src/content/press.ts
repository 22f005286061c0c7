// Press releases, newest first, from seeds/site/press.json.
import seed from '@seeds/site/press.json';
import { filled } from './filled';

type Release = (typeof seed)[number];

function newestFirst(releases: readonly Release[]): Release[] {
  return [...releases].sort((one, other) => Number(one.date < other.date) - Number(one.date > other.date));
}

export const press = /* @__PURE__ */ newestFirst(filled(seed));
