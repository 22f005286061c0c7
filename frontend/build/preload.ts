// Build step: how the browser loads a chunk that is imported on demand. Vite's own helper weighs a twentieth of our whole
// budget; pages are fetched on intent here, so all that is needed is that a chunk's styles arrive with it.
import type { Plugin } from 'vite';

const helper = `
export function __vitePreload(load, files = []) {
  const styles = files.filter((file) => file.endsWith('.css') && !document.querySelector('link[href="/' + file + '"]'));
  const arriving = styles.map((file) => new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/' + file });
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  }));
  return Promise.all([load(), ...arriving]).then(([module]) => module);
}
`;

export const preload: Plugin = {
  name: 'lean-preload',
  enforce: 'pre',
  apply: 'build',
  load: (id) => (id === '\0vite/preload-helper.js' ? helper : undefined),
};
