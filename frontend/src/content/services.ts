// The seven service cards and the five service pages, from seeds/site/services.json.
import services from '@seeds/site/services.json';

export const { cards, pages } = services;

export type ServicePage = (typeof pages)[number];
