// Build step: how the browser loads a chunk that is imported on demand. Vite's own helper weighs a twentieth of our whole
// budget; pages are fetched on intent here, so all that is needed is that a chunk's styles arrive with it
// where they are not in the document (`src/site/sheet.rs` puts the site's own there).
import type { Plugin } from 'vite';

const helper = `
export function __vitePreload(load, files = []) {
  const styles = files.filter((file) => file.endsWith('.css') && !document.querySelector('[href="/' + file + '"],[data-href="/' + file + '"]'));
  const arriving = styles.map((file) => new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/' + file });
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  }));
  return Promise.all([load(), ...arriving]).then(([module]) => module);
}
`;

/** What Vite writes into a chunk whose imports on demand need no styles but the entry's, which every document has. */
const needless = /^const __vite__mapDeps=.*\["assets\/index-[\w-]+\.css"\].*\n|,__vite__mapDeps\(\[0\]\)/g;

export const preload: Plugin = {
  name: 'lean-preload',
  enforce: 'pre',
  apply: 'build',
  load: (id) => (id === '\0vite/preload-helper.js' ? helper : undefined),
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || file.code.search(needless) !== 0) continue;
        file.code = file.code.replaceAll(needless, '');
      }
    },
  },
};
