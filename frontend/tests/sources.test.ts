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

it('draws the desk with tokens: no other type, space, corner, color or height of a control', () => {
  const folder = 'frontend/src/admin/styles/';
  const sheets = files.filter(
    (file) => file.startsWith(folder) && /\.css$/.test(file) && !/(tokens|print)\.css$/.test(file),
  );
  expect(sheets.length).toBeGreaterThan(20);
  const length = /(?<![\w-])\d*\.?\d+(rem|em|pt)\b|(?<![\w-])([4-9]|\d{2,})px\b/;
  const forbidden: [RegExp, RegExp][] = [
    [/^font(-size)?$/, /(?<![\w-])\d*\.?\d+(rem|em|px|pt)\b/],
    [/^((row-|column-)?gap|padding.*|margin.*)$/, length],
    [/radius$/, length],
    [/^min-height$/, /(?<![\w.-])([0-3](\.\d+)?|\.\d+)rem\b|(?<![\w.-])\d{2}px\b/],
    [/./, /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/i],
  ];
  const found = sheets.flatMap((file) =>
    [...read(file).matchAll(/^\s+([a-z-]+):\s+([^;{]+);/gm)].flatMap(([, name = '', value = '']) =>
      forbidden.some(([names, values]) => names.test(name) && values.test(value))
        ? [`${file.slice(folder.length)}: ${name}: ${value}`]
        : [],
    ),
  );
  expect(found).toEqual([]);
});
