// Writes the licenses of everything in a build: `node notices.mjs FILE`. Crates come from
// `cargo metadata` (normal dependencies, without procedural macros), npm packages from the lock
// file (`dependencies`, and the packages whose font and map data are built in).
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const builtIn = ['@fontsource-variable/overpass', '@fontsource-variable/public-sans', 'us-atlas'];

/** Where a package offers a choice, the first of these. */
const preferred = ['apache', 'mit'];

const crates = () => {
  const args = ['metadata', '--format-version=1', '--locked', `--filter-platform=${hostTriple()}`];
  const output = execFileSync('cargo', args, { cwd: root, maxBuffer: 1 << 28, encoding: 'utf8' });
  const { packages, resolve: graph, workspace_members: own } = JSON.parse(output);
  const byId = new Map(packages.map((item) => [item.id, item]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const isMacro = (id) => byId.get(id).targets.some(({ kind }) => kind.includes('proc-macro'));
  const used = ({ dep_kinds, pkg }) => dep_kinds.some(({ kind }) => kind === null) && !isMacro(pkg);
  const found = new Set();
  const add = (id) => {
    for (const dependency of nodes.get(id).deps.filter(used)) {
      if (found.has(dependency.pkg)) continue;
      found.add(dependency.pkg);
      add(dependency.pkg);
    }
  };
  add(graph.root);
  const others = [...found].filter((id) => !own.includes(id));
  return others.map((id) => {
    const { name, version, license, license_file, manifest_path } = byId.get(id);
    return { name, version, license: license ?? license_file, folder: dirname(manifest_path) };
  });
};

const hostTriple = () => /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))[1];

const npmPackages = () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'frontend/package-lock.json'), 'utf8'));
  const found = new Set();
  const add = (name) => {
    const entry = packages[`node_modules/${name}`];
    if (!entry || found.has(name)) return;
    found.add(name);
    Object.keys(entry.dependencies ?? {}).forEach(add);
  };
  [...Object.keys(packages[''].dependencies), ...builtIn].forEach(add);
  return [...found].map((name) => {
    const { version, license, name: original } = packages[`node_modules/${name}`];
    return {
      name: original ?? name,
      version,
      license,
      folder: join(root, 'frontend/node_modules', name),
    };
  });
};

/** The files of a package: those of its folder, and of its LICENSES folder (REUSE). */
const filesOf = (folder) =>
  ['', 'LICENSES/'].flatMap((part) => {
    if (!existsSync(join(folder, part))) return [];
    const entries = readdirSync(join(folder, part), { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => part + entry.name);
  });

/** The license texts and notices in a package's folder; of several licenses the preferred one. */
const texts = ({ folder, license }) => {
  const files = filesOf(folder);
  const licenses = files.filter((file) => /^(licen[sc]e|copying|unlicense)/i.test(file));
  const named = (word) => licenses.filter((file) => file.toLowerCase().includes(word));
  const hasChoice = / OR |\//.test(license) && !license.includes(' AND ');
  const choice = hasChoice && preferred.map(named).find((found) => found.length > 0);
  const notices = files.filter((file) => /^notice/i.test(file));
  return [...(choice || licenses), ...notices]
    .filter((file) => /(^[^.]+|\.(md|txt)|-[\w.]+)$/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
};

const all = [...crates(), ...npmPackages()].map((item) => [`${item.name} ${item.version}`, item]);
const packages = [...new Map(all).values()].sort((a, b) => a.name.localeCompare(b.name));
const users = new Map();
for (const item of packages) {
  for (const text of new Set(texts(item))) {
    const key = text.replace(/\s+/g, ' ');
    const known = users.get(key) ?? { text, names: [] };
    known.names.push(`${item.name} ${item.version}`);
    users.set(key, known);
  }
}
const withoutText = packages.filter((item) => texts(item).length === 0);
const rows = packages.map(({ name, version, license }) => `${name} ${version}: ${license}`);
const sections = [...users.values()].map(({ text, names }) => `${names.join(', ')}\n\n${text}`);
const line = `\n\n${'-'.repeat(80)}\n\n`;
const target = process.argv[2];
if (!target) throw new Error('which file to write? node notices.mjs FILE');
writeFileSync(
  target,
  `This program contains the following packages.\n\n${rows.join('\n')}${line}${sections.join(line)}\n`,
);
console.log(`${target}: ${packages.length} packages, ${withoutText.length} of them without a text`);
