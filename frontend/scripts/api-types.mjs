// Writes src/api/schema.d.ts: the types of the schemas in the API's description. Its calls are left
// out: src/api has a function for each that the site uses.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const description = new URL('../../src/tests/golden/openapi.json', import.meta.url);
const file = new URL('../src/api/schema.d.ts', import.meta.url);

/** The contents of the file. */
export async function apiTypes() {
  const all = JSON.parse(await readFile(description, 'utf8'));
  return COMMENT_HEADER + astToString(await openapiTS({ ...all, paths: {} }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(file, await apiTypes());
