// Build step: subsets the fonts of headings and of text to what the site uses, into generated/ (not
// committed). styles/fonts.css and scripts/images.mjs use the results.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A file of one of the packages with the fonts. */
const face = (name: string, script: string) =>
  readFile(
    createRequire(import.meta.url).resolve(
      `@fontsource-variable/${name}/files/${name}-${script}-wght-normal.woff2`,
    ),
  );

/** The OpenType features to keep: kerning, ligatures, tabular figures. */
const keepFeatures = ['kern', 'liga', 'tnum'];

export const fonts: Plugin = {
  name: 'fonts',
  async buildStart() {
    const [head, text, extended] = await Promise.all([
      face('overpass', 'latin'),
      face('public-sans', 'latin'),
      face('public-sans', 'latin-ext'),
    ]);
    const used = await charactersUsed();
    const written = used + charactersBetween(0xa0, 0xff);
    const woff2 = { targetFormat: 'woff2' as const, keepFeatures };
    const files = {
      // Headings use one weight; text from regular to bold.
      'heading.woff2': subsetFont(head, used, { ...woff2, variationAxes: { wght: 700 } }),
      'text.woff2': subsetFont(text, written, { ...woff2, variationAxes: { wght: { min: 400, max: 700 } } }),
      'text-extended.woff2': subsetFont(extended, charactersBetween(0x100, 0x17f), {
        ...woff2,
        variationAxes: { wght: { min: 400, max: 700 } },
      }),
      // Pictures are shown small: their headings are slightly heavier.
      'heading.ttf': subsetFont(head, used, {
        targetFormat: 'truetype',
        keepFeatures,
        variationAxes: { wght: 750 },
      }),
    };
    await mkdir(here('../generated'), { recursive: true });
    for (const [name, bytes] of Object.entries(files)) {
      await writeFile(here(`../generated/${name}`), await bytes);
    }
  },
};

/** All characters from one code point to another. */
const charactersBetween = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)).join('');

/** Printable ASCII, typographic punctuation, and all characters of the seeds. */
async function charactersUsed(): Promise<string> {
  const folder = here('../../seeds/site/');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(folder + name, 'utf8')));
  return [...new Set([charactersBetween(32, 126), '’‘“”–—…©·→←', ...texts].join(''))].join('');
}
