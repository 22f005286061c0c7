// Checks that every state has complete data, and that no two state pages are near-duplicates.
import cities from '@seeds/site/cities.json';
import company from '@seeds/site/company.json';
import states from '@seeds/site/states.json';
import { describe, expect, it } from 'vitest';
import { type Cities, distance, nearestStates, type Place } from '../../build/nearest';

type StateSeed = (typeof states)[number];

const slugs = states.map(({ slug }) => slug);

/** The words of a state page, without state names. */
function words({ intro, work, season, licensing }: StateSeed): string[] {
  const text = [intro, work, season.title, season.text, licensing.text, licensing.armed_text].join(' ');
  const names = new RegExp(states.map(({ name }) => name).join('|'), 'g');
  return (
    text
      .replace(names, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}’]+/gu) ?? []
  );
}

/** The four-word shingles of a page, for near-duplicate detection. */
function shingles(state: StateSeed): Set<string> {
  const all = words(state);
  return new Set(all.slice(3).map((_, at) => all.slice(at, at + 4).join(' ')));
}

/** The Jaccard similarity: 0 for nothing in common, 1 for the same text. */
function similarity(left: Set<string>, right: Set<string>): number {
  const shared = [...left].filter((run) => right.has(run)).length;
  return shared / (left.size + right.size - shared);
}

describe('the states', () => {
  it('are fifty, each with its own name, code and address', () => {
    expect(states).toHaveLength(50);
    expect(new Set(slugs).size).toBe(50);
    expect(new Set(states.map(({ code }) => code)).size).toBe(50);
    for (const { name, slug } of states) expect(slug).toBe(name.toLowerCase().replaceAll(' ', '-'));
  });

  it.each(states.map((state) => [state.name, state] as const))('%s has complete data', (_, state) => {
    expect(state.code).toMatch(/^[A-Z]{2}$/);
    expect(state.licensing.authority.length).toBeGreaterThan(8);
    expect(state.licensing.text.length).toBeGreaterThan(40);
    expect(['required', 'ask']).toContain(state.licensing.armed_permit);
    expect(state.licensing.armed_text.length).toBeGreaterThan(25);
    expect(state.cities.length).toBeGreaterThanOrEqual(5);
    expect(state.time_zones.length).toBeGreaterThan(0);
    for (const timeZone of state.time_zones)
      expect(() => new Intl.DateTimeFormat('en-US', { timeZone })).not.toThrow();
    expect(state.time_text).toMatch(/Time/);
    // Specification section 2: 50 to 249 clients, 5 to 19 years.
    expect(state.stats.clients).toBeGreaterThanOrEqual(50);
    expect(state.stats.clients).toBeLessThanOrEqual(249);
    expect(state.stats.years).toBeGreaterThanOrEqual(5);
    expect(state.stats.years).toBeLessThanOrEqual(19);
    expect(['ifc', 'nfpa', 'local']).toContain(state.fire.basis);
    expect(state.fire.code.length).toBeGreaterThan(15);
    expect(state.fire.checked).toMatch(/^2[0-9]{3}-[0-9]{2}-[0-9]{2}, .+; confirm with the fire marshal/);
    if (state.licensing.lookup) expect(new URL(state.licensing.lookup).protocol).toBe('https:');
    // Pennsylvania's licenses are the county courts', which have no common register.
    else if (state.licensing.statewide) expect(state.licensing.text).toContain('Ask the clerk');
    expect(state.stats.coverage).toBe('24/7');
    expect(words(state).length).toBeGreaterThan(70);
    expect(state.checked).toMatch(/^2[0-9]{3}-[0-9]{2}-[0-9]{2}/);
  });

  it('are served for no more years than the company exists', () => {
    const years = company.stats.find(({ label }) => label === 'years in business');
    const most = Math.max(...states.map(({ stats }) => stats.years));
    expect(most).toBeLessThanOrEqual(Number.parseInt(years?.value ?? '', 10));
  });

  it('have figures of their own where many people live', () => {
    const great = states.filter(({ code }) =>
      ['CA', 'TX', 'FL', 'NY', 'PA', 'IL', 'OH', 'GA', 'NC', 'MI'].includes(code),
    );
    for (const figure of ['clients', 'years'] as const)
      expect(new Set(great.map(({ stats }) => stats[figure])).size).toBe(10);
  });

  it('have symmetric borders, and all but Alaska and Hawaii have neighbors', () => {
    for (const { slug, neighbors } of states) {
      expect(neighbors.length > 0, slug).toBe(!['alaska', 'hawaii'].includes(slug));
      for (const near of neighbors)
        expect(states.find((other) => other.slug === near)?.neighbors, `${near} of ${slug}`).toContain(slug);
    }
  });

  it('name the nearest states by air if they border none', () => {
    const places = cities as unknown as Cities;
    expect(nearestStates('AK', places)).toEqual(['WA', 'OR']);
    expect(nearestStates('HI', places)).toEqual(['CA', 'OR']);
    // From airport to airport it is 2,398 miles.
    const [honolulu, bay] = [cities.HI.Honolulu, cities.CA['San Francisco']] as [Place, Place];
    expect(Math.abs(distance(honolulu, bay) - 2398)).toBeLessThan(15);
  });

  it('have coordinates for each of their cities', () => {
    for (const { code, cities: named } of states) {
      const places: Record<string, number[]> = cities[code as keyof typeof cities];
      expect(Object.keys(places)).toEqual(named);
    }
  });

  it('have no two pages that are nearly the same', () => {
    const pages = states.map((state) => ({ slug: state.slug, runs: shingles(state) }));
    const alike = pages.flatMap((left, at) =>
      pages
        .slice(at + 1)
        .filter((right) => similarity(left.runs, right.runs) > 0.12)
        .map((right) => `${left.slug} and ${right.slug}`),
    );
    expect(alike).toEqual([]);
  });
});
