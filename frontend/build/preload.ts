// Build step: loading of dynamically imported chunks. Vite's helper takes a twentieth of the byte
// budget; this one only loads the styles of a chunk if the document does not have them
// (`src/site/inline_stylesheet.rs` inlines the site's).
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
 * The code that Vite adds to chunks whose dynamic imports need only the entry styles, which every
 * document has.
 */
const redundantDeps =
  /^const __vite__mapDeps=.*\["assets\/index-[\w-]+\.css"\].*\n|,__vite__mapDeps\(\[0\]\)/g;

export const preload: Plugin = {
  name: 'lean-preload',
  enforce: 'pre',
  apply: 'build',
  load: (id) => (id === '\0vite/preload-helper.js' ? helper : undefined),
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || file.code.search(redundantDeps) !== 0) continue;
        file.code = file.code.replaceAll(redundantDeps, '');
      }
    },
  },
};
