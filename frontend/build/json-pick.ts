// Build step: `import rows from 'x.json?pick=key,path'` imports the rows of a seed with only those
// fields, or the values of a single one; `?in=pages&pick=…` the rows under a key. This keeps unused
// texts out of the first load.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

export const jsonPick: Plugin = {
  name: 'json-pick',
  enforce: 'pre',
  async load(id) {
    const [file, query] = id.split('?');
    if (!file?.endsWith('.json') || !query?.includes('pick=')) return;
    this.addWatchFile(file);
    const params = new URLSearchParams(query);
    const seed = JSON.parse(await readFile(file, 'utf8'));
    const rows: Record<string, unknown>[] = params.has('in') ? seed[params.get('in') ?? ''] : seed;
    const fields = params.get('pick')?.split(',') ?? [];
    // `differ=a,b`: only the rows whose two fields differ.
    const [a, b] = params.get('differ')?.split(',') ?? [];
    const wanted = rows.filter((row) => !a || !b || row[a] !== row[b]);
    const [only = '', second] = fields;
    const picked = wanted.map((row) =>
      second ? Object.fromEntries(fields.map((field) => [field, row[field]])) : row[only],
    );
    return { code: `export default ${JSON.stringify(picked)}`, moduleType: 'js' };
  },
};
