// What is drawn at build time is whole and light: every state on the map and alone, every scene,
// every shared picture.
import { readFileSync, statSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import cities from '@seeds/site/cities.json';
import pages from '@seeds/site/pages.json';
import states from '@seeds/site/states.json';
import { describe, expect, it } from 'vitest';
import { drawMap, drawOutlines } from '../build/outlines.ts';
import { scenes } from '../src/scenes/all';

const dist = new URL('../dist/', import.meta.url);
const weight = (text: string) => brotliCompressSync(text).length;
const names = states.map(({ name }) => name);

describe('the states', () => {
  const map = drawMap();
  const outlines = drawOutlines(
    new Map(states.map(({ name, code }) => [name, Object.values(cities[code as keyof typeof cities])])),
  );

  it('are all on the map, in 6.4 KB', () => {
    expect([...map.keys()]).toEqual(expect.arrayContaining(names));
    expect(weight(names.map((name) => map.get(name)?.d).join('\n'))).toBeLessThan(6400);
  });

  it('are each drawn alone, in 700 bytes, with their cities inside or on the border', () => {
    for (const name of names) {
      const drawn = outlines.get(name);
      if (!drawn) throw new Error(`${name} is not drawn`);
      expect(weight(drawn.d), name).toBeLessThan(700);
      for (const [x, y] of drawn.lights) {
        expect(x, name).toBeGreaterThanOrEqual(-8);
        expect(x, name).toBeLessThanOrEqual(drawn.width + 8);
        expect(y, name).toBeGreaterThanOrEqual(-8);
        expect(y, name).toBeLessThanOrEqual(drawn.height + 8);
      }
    }
  });
});

it('hides what is in the files of the map, so that only what pages reference is laid out', () => {
  for (const file of ['us-map', 'us-cities']) {
    const svg = readFileSync(new URL(`../generated/${file}.svg`, import.meta.url), 'utf8');
    expect(svg, file).toMatch(/^<svg [^>]*><title>[^<]*<\/title><svg [^>]*display="none"><.*<\/svg><\/svg>$/);
  }
});

it('draws each scene in 3 KB, without a style attribute', () => {
  for (const [name, svg] of Object.entries(scenes)) {
    expect(weight(svg), name).toBeLessThan(3000);
    expect(svg, name).not.toMatch(/ style=/);
  }
});

it('draws the head of each page as no other', () => {
  const rows: { key: string; file: string }[] = JSON.parse(readFileSync(new URL('pages.json', dist), 'utf8'));
  const heads = new Map<string, string>();
  for (const { key, file } of rows) {
    const html = readFileSync(new URL(file, dist), 'utf8');
    const [, name] = /class="(?:dark-band|page-head).*? data-scene="([^"]+)"/s.exec(html) ?? [];
    if (name) heads.set(key, name);
  }
  // A state's own is its outline; its scene comes below.
  heads.delete('state');
  expect(heads.size).toBeGreaterThan(18);
  expect(new Set(heads.values()).size).toBe(heads.size);
});

it('has a shared picture of 1200 by 630 in 50 KB for every page', () => {
  for (const { og } of pages) {
    const png = readFileSync(new URL(`og/${og}.png`, dist));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)], og).toEqual([1200, 630]);
    expect(png.length, og).toBeLessThan(50_000);
  }
});

it('sends 45 KB of fonts at most, with the letters of all European names', () => {
  const files = ['heading', 'text', 'text-extended'];
  const sizes = files.map((name) => statSync(new URL(`../generated/${name}.woff2`, import.meta.url)).size);
  expect(sizes.reduce((total, size) => total + size)).toBeLessThan(45_000);
});
