// Writes the fonts of offers in PDF, which the server embeds, and which are committed so that it
// is built without Node: `node document-fonts.mjs`. A test says when they are not those of the
// package.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const folder = join(import.meta.dirname, '../../src/domain/offer/document/pdf/fonts');

const weights = { regular: 400, bold: 700 };

/** The package divides the font by scripts. */
const parts = ['latin', 'latin-ext', 'vietnamese', 'cyrillic'];

/** The only OpenType feature that is used: figures of one width. */
const keepFeatures = ['tnum'];

/** Each file with its bytes. */
export async function fonts() {
  const characters = Array.from({ length: 0x2fe0 }, (_, at) => String.fromCodePoint(at + 32)).join('');
  const made = [];
  for (const [name, wght] of Object.entries(weights)) {
    for (const part of parts) {
      const face = require.resolve(`@fontsource-variable/overpass/files/overpass-${part}-wght-normal.woff2`);
      const options = { targetFormat: 'truetype', variationAxes: { wght }, keepFeatures };
      const bytes = await subsetFont(await readFile(face), characters, options);
      made.push({ file: join(folder, `${name}-${part}.ttf`), bytes });
    }
  }
  const license = require.resolve('@fontsource-variable/overpass/LICENSE');
  made.push({ file: join(folder, 'LICENSE'), bytes: await readFile(license) });
  return made;
}

if (process.argv[1] === import.meta.filename) {
  await mkdir(folder, { recursive: true });
  for (const { file, bytes } of await fonts()) await writeFile(file, bytes);
}
