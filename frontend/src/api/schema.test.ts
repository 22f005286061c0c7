// The client's types are those of the committed API description.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { apiTypes } from '../../scripts/api-types.mjs';

test('schema.d.ts is fresh: else run `just openapi`', async () => {
  expect(readFileSync(resolve(import.meta.dirname, 'schema.d.ts'), 'utf8')).toBe(await apiTypes());
});
