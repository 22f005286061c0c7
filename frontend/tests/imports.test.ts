// The layers of docs/architecture.md: a file imports from its own layer or a lower one, and no
// imports form a cycle, not even by types. Tests are exempt.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/**
 * Folders and top-level files per layer, lowest first. A top-level file that is not named is in the
 * lowest layer.
 */
const layers = readLayers();

function readLayers(): string[][] {
  const text = readFileSync(resolve(src, '../../docs/architecture.md'), 'utf8').replace(/\s+/g, ' ');
  const line = /Frontend imports, bottom to top: ([^.]+)\./.exec(text)?.[1] ?? '';
  return line.split('→').map((layer) => [...layer.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string));
}

function layerOf(file: string): number {
  const name = file.split('/')[0]?.replace(/\.tsx?$/, '') ?? '';
  return Math.max(
    0,
    layers.findIndex((layer) => layer.includes(name)),
  );
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$|\/testing\//.test(file));

const known = new Set(files);

/** The files that a file imports, statically or by `import()`, as paths below `src`. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8');
  return [...text.matchAll(/(?:^|\n)(?:import|export)\s[^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/g)]
    .map(([, fixed, dynamic]) => join(dirname(file), (fixed ?? dynamic) as string))
    .flatMap((path) => [path, `${path}.ts`, `${path}.tsx`].filter((candidate) => known.has(candidate)));
}

const graph = new Map(files.map((file) => [file, importsOf(file)]));

it('reads every layer of docs/architecture.md', () => {
  expect(layers.length).toBe(4);
  expect(layers.flat()).toContain('admin');
  expect(graph.get('admin/admin-page.tsx')).toContain('admin/session/provider.tsx');
});

it('imports nothing from a higher layer', () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((other) => layerOf(other) > layerOf(file))
      .map((other) => `${file} imports ${other}`),
  );
  expect(upward).toEqual([]);
});

it('has no import cycle', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const other of graph.get(file) ?? []) visit(other, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

/** Folders of `admin`, each with the others that its files import; imports of types count here. */
function adminFolders(): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const [, folder] = /^admin\/([^/]+)\//.exec(file) ?? [];
    if (!folder) continue;
    const used = folders.get(folder) ?? new Set<string>();
    folders.set(folder, used);
    const text = readFileSync(join(src, file), 'utf8');
    for (const [, path] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const [, other] = /^admin\/([^/]+)\//.exec(join(dirname(file), path as string)) ?? [];
      if (other && other !== folder) used.add(other);
    }
  }
  return folders;
}

it('has no circle of folders in the dashboard, not even by types', () => {
  const folders = adminFolders();
  expect(folders.get('inbox')).toContain('panel');
  const reach = (start: string, seen = new Set<string>()): Set<string> => {
    for (const other of folders.get(start) ?? []) {
      if (!seen.has(other)) reach(other, seen.add(other));
    }
    return seen;
  };
  expect([...folders.keys()].filter((folder) => reach(folder).has(folder))).toEqual([]);
});
