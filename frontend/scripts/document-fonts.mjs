// Writes the fonts of offers in PDF, which the server embeds, and which are committed so that it
// is built without Node: `node document-fonts.mjs`. A test says when they are not those of the
// package.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const folder = join(import.meta.dirname, '../../src/domain/offer/document/pdf/fonts');

/** Public Sans for text, Overpass for headings and totals, as on the site. */
const faces = {
  regular: { wght: 400, name: 'public-sans' },
  bold: { wght: 700, name: 'overpass' },
};

/** The packages divide a font by scripts. Public Sans has no Cyrillic letters. */
const parts = ['latin', 'latin-ext', 'vietnamese', 'cyrillic'];

/** The only OpenType feature that is used: figures of one width. */
const keepFeatures = ['tnum'];

/** Each file with its bytes. */
export async function fonts() {
  const characters = Array.from({ length: 0x2fe0 }, (_, at) => String.fromCodePoint(at + 32)).join('');
  const made = [];
  for (const [file, { wght, name }] of Object.entries(faces)) {
    for (const part of parts) {
      const font = part === 'cyrillic' ? 'overpass' : name;
      const face = require.resolve(`@fontsource-variable/${font}/files/${font}-${part}-wght-normal.woff2`);
      const options = { targetFormat: 'truetype', variationAxes: { wght }, keepFeatures };
      const bytes = await subsetFont(await readFile(face), characters, options);
      made.push({ file: join(folder, `${file}-${part}.ttf`), bytes });
    }
  }
  for (const font of ['overpass', 'public-sans']) {
    const license = require.resolve(`@fontsource-variable/${font}/LICENSE`);
    made.push({ file: join(folder, `LICENSE-${font}`), bytes: await readFile(license) });
  }
  return made;
}

if (process.argv[1] === import.meta.filename) {
  await mkdir(folder, { recursive: true });
  for (const { file, bytes } of await fonts()) await writeFile(file, bytes);
}
