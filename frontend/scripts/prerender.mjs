// Writes dist/pages/*.html, dist/pages.json and dist/scenes/*.svg from the two builds, then removes what only this step needed.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writePictures, writeScenes } from './pictures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { documents, drawPictures, drawScenes } = await import(`${root}dist-ssr/prerender.js`);
const template = await readFile(`${root}dist/index.html`, 'utf8');
const manifest = JSON.parse(await readFile(`${root}dist/.vite/manifest.json`, 'utf8'));

await mkdir(`${root}dist/pages`, { recursive: true });
const rows = [];
for (const { html, source, ...row } of await documents()) {
  const file = `pages/${fileName(row)}.html`;
  await writeFile(`${root}dist/${file}`, wholeDocument(row.key, preloads(source), html));
  rows.push({ ...row, file });
}
await writeFile(`${root}dist/pages.json`, `${JSON.stringify(rows, null, 1)}\n`);
await writePictures(root, drawPictures());
await writeScenes(root, drawScenes());
await rm(`${root}dist/index.html`);
await rm(`${root}dist/.vite`, { recursive: true });
await rm(`${root}dist-ssr`, { recursive: true });
console.log(`prerendered ${rows.length} documents`);

function fileName({ path, query, status }) {
  if (status === 404) return 'not-found';
  const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
  return query ? `${name}--${query.replace('=', '-')}` : name;
}

/** Scripts come after what is read: on a slow line they must not take from the styles and the heading face. */
function wholeDocument(key, links, html) {
  return template
    .replace('<div id="app"><!--app-->', () => `<div id="app" data-page="${key}">${html}`)
    .replace('</head>', () => `${fontPreload()}${links}</head>`)
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"');
}

/** The heading face is needed by every page's first line; without this link it would wait for the stylesheet. */
function fontPreload() {
  const face = (manifest['index.html'].assets ?? []).find((file) => file.endsWith('.woff2'));
  if (!face) throw new Error('the build has no heading face');
  return `\n    <link rel="preload" as="font" type="font/woff2" crossorigin href="/${face}">`;
}

/** Links that fetch the page's own chunks, and their styles, beside the entry instead of after it. */
function preloads(source) {
  const chunks = new Set();
  const styles = new Set();
  const entry = manifest['index.html'];
  const seen = new Set(['index.html', ...(entry.imports ?? [])]);
  (function walk(name) {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    chunks.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const next of chunk.imports ?? []) walk(next);
  })(source);
  const links = [...styles].map((file) => `    <link rel="stylesheet" crossorigin href="/${file}">\n`);
  links.push(...[...chunks].map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`));
  return links.length ? `\n${links.join('')}  ` : '';
}
