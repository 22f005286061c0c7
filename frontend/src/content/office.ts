// What the office says about insurance, prices and work, from seeds/site.
import careersSeed from '@seeds/site/careers.json';
import insuranceSeed from '@seeds/site/insurance.json';
import pricesSeed from '@seeds/site/prices.json';
import { filled } from './filled';

/** Facts that the office may leave out. */
type Coverage = { title: string; text: string; limit?: string | null; insurer?: string | null };
type PriceRange = { service: string; range: string; note: string };

export const careers = /* @__PURE__ */ filled(careersSeed);
export const insurance = /* @__PURE__ */ filled(insuranceSeed);
export const prices = /* @__PURE__ */ filled(pricesSeed);

export const coverages: Coverage[] = insurance.coverages;
export const ranges: PriceRange[] = prices.ranges;
