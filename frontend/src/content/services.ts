// The seven service cards and the ten service pages, from seeds/site/services.json.
import services from '@seeds/site/services.json';
import { filled } from './filled';

export const cards = /* @__PURE__ */ filled(services.cards);
export const pages = /* @__PURE__ */ filled(services.pages);

export type ServicePage = (typeof pages)[number];
