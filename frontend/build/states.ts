// Build step: the states as virtual modules, so that a page loads only the state it shows.
// `virtual:us-map` lists the states of the map image (`generated/us-map.svg`, not committed);
// `generated/us-cities.svg` has a mark for each of their cities;
// `virtual:us-shapes` has their shapes; `virtual:states` loads one state by its slug, with its data
// and outline.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { type Cities, nearestStates } from './nearest.ts';
import { drawMap, drawOutlines, mapSize } from './outlines.ts';
import { drawCities, drawMapPicture } from './us-map.ts';

type StateSeed = { slug: string; name: string; code: string; cities: string[]; neighbors: string[] };

const map = 'virtual:us-map';
const shapes = 'virtual:us-shapes';
const loaders = 'virtual:states';
const one = `${loaders}/`;

/** Whether the page renderer is built, whose states are content (runtime-content.ts). */
let rendering = false;

export const states: Plugin = {
  name: 'states',
  configResolved({ mode }) {
    rendering = mode === 'renderer';
  },
  async buildStart() {
    await mkdir(here('../generated'), { recursive: true });
    await writeFile(here('../generated/us-map.svg'), drawMapPicture(seed('states.json')));
    await writeFile(here('../generated/us-cities.svg'), drawCities(seed('cities.json')));
  },
  resolveId(id) {
    return [map, shapes, loaders].includes(id) || id.startsWith(one) ? `\0${id}` : undefined;
  },
  load(id) {
    if (id === `\0${map}`) return asModule(mapOf(seed('states.json')));
    if (id === `\0${shapes}`) return asModule(shapesOf(seed('states.json')));
    if (id === `\0${loaders}`) return loadersOf(seed('states.json'));
    if (!id.startsWith(`\0${one}`)) return;
    const state = stateOf(id.slice(one.length + 1), seed('states.json'));
    return rendering ? asContent(state) : asModule(state);
  },
};

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function seed<T>(name: string): T {
  return JSON.parse(readFileSync(here(`../../seeds/site/${name}`), 'utf8'));
}

function asModule(value: unknown): string {
  return `export default ${JSON.stringify(value)}`;
}

function mapOf(all: StateSeed[]) {
  return { ...mapSize, states: all.map(({ slug, name, code }) => ({ slug, name, code })) };
}

function shapesOf(all: StateSeed[]): Record<string, string> {
  const drawn = drawMap();
  return Object.fromEntries(all.map(({ name, code }) => [code, drawn.get(name)?.d ?? '']));
}

function loadersOf(all: StateSeed[]): string {
  const rows = all.map(({ slug }) => `${JSON.stringify(slug)}: () => import('${one}${slug}')`);
  return `export default { ${rows.join(', ')} }`;
}

let outlines: ReturnType<typeof drawOutlines> | undefined;

function stateOf(slug: string, all: StateSeed[]) {
  const state = all.find((row) => row.slug === slug);
  if (!state) throw new Error(`no state "${slug}"`);
  const cities = seed<Cities>('cities.json');
  outlines ??= drawOutlines(new Map(all.map(({ name, code }) => [name, Object.values(cities[code] ?? {})])));
  const { neighbors, ...facts } = state;
  const borders = neighbors.length > 0;
  const nearest = borders
    ? all.filter((other) => neighbors.includes(other.slug))
    : nearestStates(state.code, cities).flatMap((code) => all.filter((other) => other.code === code));
  return {
    ...facts,
    borders,
    nearest: nearest.map(({ slug, name }) => ({ slug, name })),
    outline: outlines.get(state.name),
  };
}

/** A module that takes the state's texts from the content, and lights only the cities it names. */
function asContent({ slug, cities, outline, borders, nearest }: ReturnType<typeof stateOf>): string {
  const lights = Object.fromEntries(cities.map((city, at) => [city, outline?.lights[at]]));
  return `
    import states from '@seeds/site/states.json';
    const state = states.find((state) => state.slug === '${slug}');
    const places = ${JSON.stringify(lights)};
    const lights = state.cities.flatMap((city) => (places[city] ? [places[city]] : []));
    export default {
      ...state,
      borders: ${borders},
      nearest: ${JSON.stringify(nearest)},
      outline: { ...${JSON.stringify({ ...outline, lights: [] })}, lights },
    };`;
}
