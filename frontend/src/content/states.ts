// The 50 states, from seeds/site/states.json.
import states from '@seeds/site/states.json';

export type StateSeed = (typeof states)[number];

export { states };

export function stateBySlug(slug: string | undefined): StateSeed | undefined {
  return states.find((state) => state.slug === slug);
}
