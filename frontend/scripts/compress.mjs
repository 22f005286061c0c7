// Precompresses the built files: FILE.br and FILE.gz beside each text file of dist/, except
// documents, because the server first fills in the company data. Writes dist/files.json, the list
// of all other files.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const texts = /\.(js|css|svg)$/;
const best = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };

const files = [];
let before = 0;
let after = 0;
for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = `${entry.parentPath}/${entry.name}`;
  const path = file.slice(dist.length);
  if (path.startsWith('/pages')) continue;
  files.push(path);
  if (!texts.test(path)) continue;
  const bytes = await readFile(file);
  const brotli = brotliCompressSync(bytes, { params: best });
  const gzip = gzipSync(bytes, { level: 9 });
  if (gzip.length >= bytes.length || brotli.length >= bytes.length) continue;
  await writeFile(`${file}.br`, brotli);
  await writeFile(`${file}.gz`, gzip);
  before += bytes.length;
  after += brotli.length;
}
await writeFile(`${dist}/files.json`, `${JSON.stringify(files.sort(), null, 1)}\n`);
console.log(`compressed ${before} bytes of assets to ${after}`);
