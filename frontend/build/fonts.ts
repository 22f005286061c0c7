// Build step: subsets the heading font to the weight and characters the site uses, into generated/
// (not committed). styles/fonts.css and scripts/images.mjs use the result.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Headings use one weight; images, which are shown small, a slightly heavier one. */
const weights = { web: 700, pictures: 750 };

/** The OpenType features to keep: kerning, ligatures, tabular figures. */
const features = ['kern', 'liga', 'tnum'];

export const fonts: Plugin = {
  name: 'heading-font',
  async buildStart() {
    const face = createRequire(import.meta.url).resolve(
      '@fontsource-variable/overpass/files/overpass-latin-wght-normal.woff2',
    );
    const [whole, text] = await Promise.all([readFile(face), charactersUsed()]);
    await mkdir(here('../generated'), { recursive: true });
    await writeFile(
      here('../generated/heading.woff2'),
      await subsetFont(whole, text, {
        targetFormat: 'woff2',
        variationAxes: { wght: weights.web },
        keepFeatures: features,
      }),
    );
    await writeFile(
      here('../generated/heading.ttf'),
      await subsetFont(whole, text, { targetFormat: 'truetype', variationAxes: { wght: weights.pictures } }),
    );
  },
};

/** Printable ASCII, typographic punctuation, and all characters of the seeds. */
async function charactersUsed(): Promise<string> {
  const folder = here('../../seeds/site/');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(folder + name, 'utf8')));
  const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  return [...new Set([...ascii, ...'’‘“”–—…©', ...texts.join('')])].join('');
}
