// Build step: loading of dynamically imported chunks. Vite's helper takes a twentieth of the byte
// budget; this one only loads the styles of a chunk if the document does not have them
// (`src/site/inline_files.rs` inlines the site's).
import type { Plugin } from 'vite';

const helper = `
export function __vitePreload(load, files = []) {
  const styles = files.filter((file) => file.endsWith('.css') && !document.querySelector('[href="/' + file + '"],[data-href="/' + file + '"]'));
  const stylesLoaded = styles.map((file) => new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/' + file });
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  }));
  return Promise.all([load(), ...stylesLoaded]).then(([module]) => module);
}
`;

/**
 * The list of styles that Vite writes at the beginning of a chunk, and its uses in dynamic imports.
 */
const depsList = /^const __vite__mapDeps=.*?m\.f=(\[[^\]]*\]).*\n/;
const depsUse = /,__vite__mapDeps\(\[([\d,]*)\]\)/g;
/** The files loaded by every document. */
const isEntryStyle = (file: string) => /^assets\/index-[\w-]+\.css$/.test(file);

/** Writes the styles of dynamic imports where they are used, without those of the entry. */
function shorten(code: string): string {
  const [list, files = '[]'] = depsList.exec(code) ?? [''];
  const all: string[] = JSON.parse(files);
  return code
    .slice(list.length)
    .replace(depsUse, (_, numbers: string) => {
      const used = numbers.split(',').map((number) => all[Number(number)] ?? '');
      const needed = used.filter((file) => file && !isEntryStyle(file));
      return needed.length > 0 ? `,${JSON.stringify(needed)}` : '';
    })
    .replace(/(\(\)=>import\(`[^`]+`\)),\[\]\)/g, '$1)');
}

export const preload: Plugin = {
  name: 'lean-preload',
  enforce: 'pre',
  apply: 'build',
  load: (id) => (id === '\0vite/preload-helper.js' ? helper : undefined),
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = shorten(file.code);
    },
  },
};
