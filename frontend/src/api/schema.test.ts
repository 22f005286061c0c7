// The client's types are those of the committed API description.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { expect, test } from 'vitest';

test('schema.d.ts is fresh: else run `just openapi`', async () => {
  const description = resolve(import.meta.dirname, '../../../src/tests/golden/openapi.json');
  const fresh = COMMENT_HEADER + astToString(await openapiTS(pathToFileURL(description)));
  expect(readFileSync(resolve(import.meta.dirname, 'schema.d.ts'), 'utf8')).toBe(fresh);
});
