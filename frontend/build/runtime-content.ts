// The build of the page renderer that is embedded in the server (`vite build --mode renderer`): the
// seeds that the office can change are read from `globalThis.content`, which the server sets
// (src/site/engine.rs), and pages without content are left out.
import type { Plugin } from 'vite';

/** The files of seeds/site that are content; the others are built in. */
const content =
  /\/seeds\/site\/(company|services|proof|insurance|prices|careers|states|faqs|clients|testimonials|press)\.json(\?.*)?$/;

/** Pages that the renderer does not render. */
const withoutContent = /\/src\/(admin\/admin-page|pages\/api-docs)\.tsx$/;

export const runtimeContent: Plugin = {
  name: 'runtime-content',
  enforce: 'pre',
  apply: (_, { mode }) => mode === 'renderer',
  load(id) {
    const [, name, query] = content.exec(id) ?? [];
    if (name) {
      const key = new URLSearchParams(query).get('in');
      const code = `export default globalThis.content.${name}${key ? `.${key}` : ''}`;
      return { code, moduleType: 'js' };
    }
    if (withoutContent.test(id)) return { code: 'export default () => null', moduleType: 'js' };
  },
};
