// The fonts of offers in PDF, which are committed, are those of the package.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { fonts } from '../scripts/document-fonts.mjs';

it('has the fonts of the package for the documents of the server', async () => {
  const made = await fonts();
  expect(made.length).toBe(10);
  for (const { file, bytes } of made) {
    const stored = readFileSync(file);
    const message = `${basename(file)} is stale: run \`node scripts/document-fonts.mjs\``;
    expect(stored.equals(bytes), message).toBe(true);
  }
});
