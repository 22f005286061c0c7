// Build step: `import rows from 'x.json?only=key,path'` gives the rows of a seed with those fields alone, and
// `?in=pages&only=…` the rows under a key. The browser's first load must not carry words it does not show.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

export const only: Plugin = {
  name: 'only-some-fields',
  enforce: 'pre',
  async load(id) {
    const [file, query] = id.split('?');
    if (!file?.endsWith('.json') || !query?.includes('only=')) return;
    this.addWatchFile(file);
    const wanted = new URLSearchParams(query);
    const seed = JSON.parse(await readFile(file, 'utf8'));
    const rows: Record<string, unknown>[] = wanted.has('in') ? seed[wanted.get('in') ?? ''] : seed;
    const fields = wanted.get('only')?.split(',') ?? [];
    const kept = rows.map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])));
    return { code: `export default ${JSON.stringify(kept)}`, moduleType: 'js' };
  },
};
