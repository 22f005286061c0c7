// The sources and documents as a reader sees them: comments fit their lines, and lists name a thing
// once.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

const root = `${import.meta.dirname}/../../`;
const read = (file: string) => readFileSync(root + file, 'utf8');

const files = execFileSync('git', ['ls-files', 'frontend', 'config.toml', 'justfile'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(tsx?|css|m?js)$|config.toml|justfile/.test(file))
  .filter((file) => !file.endsWith('schema.d.ts'));

it('has no comment over 100 columns', () => {
  const found = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, at) =>
        [...line].length > 100 && /^\s*(\/\/|\/?\*|#)/.test(line) ? [`${file}:${at + 1}`] : [],
      ),
  );
  expect(found).toEqual([]);
});

it('lists the first release by section', () => {
  const [, release = ''] = read('CHANGELOG.md').split('## [0.1.0]');
  const [head = ''] = release.split('\n### ');
  expect(head).not.toContain('\n- ');
});

it('has at most 25 files in a folder, and 300 lines in a file', () => {
  const frontend = files.filter((file) => file.startsWith('frontend/'));
  const folders = new Map<string, number>();
  for (const file of frontend) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  const large = [...folders].filter(([, count]) => count > 25);
  expect(large).toEqual([]);
  const long = frontend.filter(
    (file) => !/\.(test|spec)\.|\/tests\//.test(file) && read(file).trimEnd().split('\n').length > 300,
  );
  expect(long).toEqual([]);
});
