// Build step: the states as virtual modules, so that no visitor loads fifty of them for one.
// `virtual:us-map` is the drawn map; `virtual:states` loads one state by its slug, with its facts and its outline.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { drawMap, drawOutlines, mapSize } from './outlines.ts';

type State = { slug: string; name: string; code: string; neighbors: string[] };
type Cities = Record<string, Record<string, [number, number]>>;

const map = 'virtual:us-map';
const loaders = 'virtual:states';
const one = `${loaders}/`;

export const states: Plugin = {
  name: 'states',
  resolveId(id) {
    return id === map || id === loaders || id.startsWith(one) ? `\0${id}` : undefined;
  },
  load(id) {
    if (id === `\0${map}`) return asModule(mapOf(seed('states.json')));
    if (id === `\0${loaders}`) return loadersOf(seed('states.json'));
    if (id.startsWith(`\0${one}`)) return asModule(stateOf(id.slice(one.length + 1), seed('states.json')));
  },
};

function seed<T>(name: string): T {
  return JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../seeds/site/${name}`, import.meta.url)), 'utf8'),
  );
}

function asModule(value: unknown): string {
  return `export default ${JSON.stringify(value)}`;
}

function mapOf(all: State[]) {
  const drawn = drawMap();
  return {
    ...mapSize,
    states: all.map(({ slug, name, code }) => ({ slug, name, code, ...drawn.get(name) })),
  };
}

function loadersOf(all: State[]): string {
  const rows = all.map(({ slug }) => `${JSON.stringify(slug)}: () => import('${one}${slug}')`);
  return `export default { ${rows.join(', ')} }`;
}

let outlines: ReturnType<typeof drawOutlines> | undefined;

function stateOf(slug: string, all: State[]) {
  const state = all.find((row) => row.slug === slug);
  if (!state) throw new Error(`no state "${slug}"`);
  const cities = seed<Cities>('cities.json');
  outlines ??= drawOutlines(new Map(all.map(({ name, code }) => [name, Object.values(cities[code] ?? {})])));
  const neighbors = state.neighbors.map((near) => ({
    slug: near,
    name: all.find((row) => row.slug === near)?.name,
  }));
  return { ...state, neighbors, outline: outlines.get(state.name) };
}
