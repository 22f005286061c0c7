// The licenses that `just build` delivers beside the program.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test('the licenses of all packages are written, also of those that keep them in a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'));
  try {
    const file = join(folder, 'notices.txt');
    execFileSync('node', [resolve(import.meta.dirname, '../scripts/notices.mjs'), file]);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^tokio \d.*: MIT$/m);
    expect(text).toMatch(/^preact \d.*: MIT$/m);
    // A heading of texts names the packages that they are for.
    expect(text).toMatch(/^(.*, )?mail-parser [\d.]+(, .*)?\n\n/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 30_000);
