// The README's pictures are not older than what they show.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { pictureSources } from '../scripts/picture-sources.mjs';

const stored = resolve(import.meta.dirname, '../../docs/screenshots/sources.json');

it('has pictures of the present site and dashboard', () => {
  const taken = JSON.parse(readFileSync(stored, 'utf8'));
  expect(taken, 'the pictures are stale: run `just screenshots`').toEqual(pictureSources());
});
