// Compresses each text file of dist/ into FILE.br beside it. A release contains only that copy; the
// server decompresses documents, which it fills in, and files for clients without brotli. Writes
// dist/files.json, the list of all files with an address.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const texts = /\.(js|css|svg|html)$/;
const best = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };

const files = [];
let before = 0;
let after = 0;
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = `${entry.parentPath}/${entry.name}`;
  const path = file.slice(dist.length);
  if (!path.startsWith('/pages')) files.push(path);
  if (!texts.test(path)) continue;
  const bytes = await readFile(file);
  const brotli = brotliCompressSync(bytes, { params: best });
  if (brotli.length >= bytes.length) continue;
  await writeFile(`${file}.br`, brotli);
  before += bytes.length;
  after += brotli.length;
}
await writeFile(`${dist}/files.json`, `${JSON.stringify(files.sort(), null, 1)}\n`);
console.log(`compressed ${before} bytes of texts to ${after}`);
