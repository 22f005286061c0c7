// Press releases, newest first, from seeds/site/press.json.
import seed from '@seeds/site/press.json';
import { filled } from './filled';

export const press = /* @__PURE__ */ filled(seed);
