// What a visitor downloads, measured over the built files with brotli, page by page. Run after `npm
// run build`.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';

type Row = { path: string; query: string; key: string; file: string };

const dist = new URL('../dist/', import.meta.url);
const rows: Row[] = JSON.parse(readFileSync(new URL('pages.json', dist), 'utf8'));
const visitors = rows.filter(({ key }) => !key.startsWith('admin'));

const sizes = new Map<string, number>();

/**
 * Kilobytes (1000 bytes) after brotli: assets at its best, as they are compressed once; pages at 5,
 * as when they are filled.
 */
function size(file: string): number {
  const page = file.endsWith('.html');
  const params = { [constants.BROTLI_PARAM_QUALITY]: page ? 5 : 11 };
  const text = page ? sent(file) : readFileSync(new URL(file, dist));
  const known = sizes.get(file) ?? brotliCompressSync(text, { params }).length / 1000;
  sizes.set(file, known);
  return known;
}

const read = (file: string) => readFileSync(new URL(file, dist), 'utf8');

/**
 * A document as the server sends it, with the stylesheets in place of the links that are marked so.
 */
function sent(file: string): string {
  return read(file).replace(
    /<link data-inline [^>]*href="\/([^"]+)">/g,
    (_, sheet) => `<style data-href="/${sheet}">${read(sheet)}</style>`,
  );
}

/**
 * The files of one kind that a document names: its first script and the code for later, its styles,
 * its drawings.
 */
function named(html: string, kind: 'js' | 'css' | 'woff2' | 'svg'): string[] {
  const names = [...html.matchAll(/[" ]\/(start.js|(?:assets|scenes)\/[^" #]+)/g)].map(
    ([, name]) => name as string,
  );
  return [...new Set(names)].filter((name) => name.endsWith(kind));
}

/** The pages whose files of this kind weigh more than they may, with their weights. */
function tooHeavy(limit: (row: Row) => number, weigh: (row: Row) => number): string[] {
  return visitors.flatMap((row) => {
    const weight = weigh(row);
    return weight > limit(row) ? [`${row.path}?${row.query}: ${weight.toFixed(1)} KB`] : [];
  });
}

const sum = (files: string[]) => files.reduce((total, file) => total + size(file), 0);

it('sends 20 KB of JavaScript at most with Home and 18.5 KB with any other public page', () => {
  const limit = ({ key }: Row) => (key === 'home' ? 20 : 18.5);
  expect(tooHeavy(limit, ({ file }) => sum(named(read(file), 'js')))).toEqual([]);
});

it('sends 6.5 KB of styles at most, in the document or beside it', () => {
  expect(
    tooHeavy(
      () => 6.5,
      ({ file }) => sum(named(read(file), 'css')),
    ),
  ).toEqual([]);
});

it('sends 20 KB of HTML at most with Home and the API reference and 14 KB with any other public page, the styles in it included', () => {
  const limit = ({ key, path }: Row) => (key === 'home' || path.startsWith('/api/docs') ? 20 : 14);
  expect(tooHeavy(limit, ({ file }) => size(file))).toEqual([]);
});

it('sends 90 KB at most with the first visit to any page, every drawing on it included', () => {
  const always = ['print.css', 'favicon.svg', 'manifest.webmanifest'];
  const beside = (html: string) =>
    (['js', 'css', 'woff2', 'svg'] as const).flatMap((kind) =>
      named(html.replace(/<style.*?<\/style>/gs, ''), kind),
    );
  const whole = ({ file }: Row) => sum([file, ...beside(sent(file)), ...always]);
  expect(tooHeavy(() => 90, whole)).toEqual([]);
});

it('names nothing from another origin and holds no inline script or style', () => {
  const bad = visitors.filter(({ file }) => {
    const html = read(file);
    return (
      /<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//.test(html) ||
      / style="|<style|<script>| on[a-z]+="/.test(html)
    );
  });
  expect(bad.map(({ path }) => path)).toEqual([]);
});

/** Rates of offers are read from the server: no built file has one. */
it('puts no rate of an offer into any file', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|html|json|css|xml|txt)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const card = readFileSync(new URL('../../seeds/offers/rate-card.json', import.meta.url), 'utf8');
  const rate = /rate_cents["']?\s*:\s*[1-9]/;
  expect(card).toMatch(rate);
  expect(files.filter((name) => rate.test(read(name)))).toEqual([]);
});

/** All scripts that a document needs now or later, but for those of the admin. */
function scriptsOf(file: string): string[] {
  const found = new Set(named(read(file), 'js'));
  for (const name of found) {
    if (name.includes('admin-page')) continue;
    for (const [, other] of read(name).matchAll(/["'`](?:\.\/|assets\/)([\w.-]+\.js)["'`]/g))
      found.add(`assets/${other}`);
  }
  return [...found].filter((name) => !name.includes('admin-page'));
}

it('loads no code of offers with a public page', () => {
  const scripts = new Set(visitors.flatMap(({ file }) => scriptsOf(file)));
  expect(scripts.size).toBeGreaterThan(10);
  const all = readdirSync(new URL('assets/', dist)).filter((name) => name.endsWith('.js'));
  expect(all.filter((name) => /\.relief_minutes/.test(read(`assets/${name}`)))).not.toEqual([]);
  expect([...scripts].filter((name) => /\.relief_minutes/.test(read(name)))).toEqual([]);
});

/** A script of the assets that begins with `name`, and all that it imports before it runs. */
function imported(name: string): Set<string> {
  const all = readdirSync(new URL('assets/', dist)).filter((file) => file.endsWith('.js'));
  const found = new Set(all.filter((file) => file.startsWith(`${name}-`)));
  for (const file of found) {
    for (const [, other] of read(`assets/${file}`).matchAll(/from["']\.\/([\w.-]+\.js)["']/g))
      found.add(other as string);
  }
  return found;
}

it('sends 12 KB of JavaScript at most with the page of figures beyond that of the dashboard', () => {
  const dashboard = imported('admin-page');
  const own = [...imported('figures')].filter((file) => !dashboard.has(file));
  expect(own.some((file) => file.startsWith('figures-'))).toBe(true);
  expect(sum(own.map((file) => `assets/${file}`))).toBeLessThanOrEqual(12);
});
