// What the README's pictures show: a digest of the components, styles and texts of the site, and of
// the dashboard. `just screenshots` stores both beside the pictures.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

const sources = {
  site: ['layout', 'pages', 'scenes', 'sections', 'forms', 'styles', 'ui']
    .map((folder) => `frontend/src/${folder}`)
    .concat('seeds/site', 'seeds/content.json'),
  dashboard: ['frontend/src/admin', 'frontend/src/ui', 'frontend/src/styles'],
};

/** The digest of each group of sources, in hexadecimal. */
export function pictureSources() {
  return Object.fromEntries(Object.entries(sources).map(([group, paths]) => [group, digestOf(paths)]));
}

function digestOf(paths) {
  const digest = createHash('sha256');
  for (const path of paths.flatMap(shownFiles).sort()) {
    digest.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return digest.digest('hex');
}

/** The components, styles and texts at `path`. */
function shownFiles(path) {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((file) => `${path}/${file}`)
    .filter((file) => /\.(tsx|css|json)$/.test(file) && !/\.test\.tsx$|\/testing\//.test(file));
}
