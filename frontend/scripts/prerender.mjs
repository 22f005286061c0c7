// Writes dist/pages/*.html, dist/pages.json and dist/scenes/*.svg from the two builds, then removes what only this step needed.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writeImages, writeScenes } from './images.mjs';

/** Whose stylesheet is fetched: the dashboard fetches one of its own beside it, and the API's page is as heavy as a page may be without it. */
const linked = ['admin', 'api-docs'];

const root = fileURLToPath(new URL('..', import.meta.url));
const { documents, renderSocialImages, renderScenes } = await import(`${root}dist-ssr/prerender.js`);
const template = await readFile(`${root}dist/index.html`, 'utf8');
const manifest = JSON.parse(await readFile(`${root}dist/.vite/manifest.json`, 'utf8'));

await mkdir(`${root}dist/pages`, { recursive: true });
const rows = [];
for (const { html, source, ...row } of await documents()) {
  const file = `pages/${fileName(row)}.html`;
  await writeFile(`${root}dist/${file}`, wholeDocument(row.key, filesOf(source), html));
  rows.push({ ...row, file });
}
await writeFile(`${root}dist/pages.json`, `${JSON.stringify(rows, null, 1)}\n`);
await writeImages(root, renderSocialImages());
await writeScenes(root, renderScenes());
await rm(`${root}dist/index.html`);
await rm(`${root}dist/.vite`, { recursive: true });
await rm(`${root}dist-ssr`, { recursive: true });
console.log(`prerendered ${rows.length} documents`);

function fileName({ path, query, status }) {
  if (status === 404) return 'not-found';
  const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
  return query ? `${name}--${query.replace('=', '-')}` : name;
}

/** The code's files are named for `public/start.js`, which fetches them when the page has been painted. */
function wholeDocument(key, { code, styles }, html) {
  const mark = linked.includes(key) ? '' : ' data-inline';
  const links = styles.map((file) => `  <link rel="stylesheet" crossorigin href="${file}">\n  `);
  return template
    .replace('<link rel="stylesheet" crossorigin', `<link${mark} rel="stylesheet" crossorigin`)
    .replace(
      /<script type="module".*<\/script>/,
      `${fontPreload()}\n    <script type="module" fetchpriority="low" src="/start.js"></script>`,
    )
    .replace(/ *<link rel="modulepreload".*\n/g, '')
    .replace('</head>', `${links.join('')}</head>`)
    .replace(
      '<div id="app"><!--app-->',
      () => `<div id="app" data-page="${key}" data-code="${code.join(' ')}">${html}`,
    );
}

/** The heading face is needed by every page's first line; without this link it would wait for the stylesheet. */
function fontPreload() {
  const face = (manifest['index.html'].assets ?? []).find((file) => file.endsWith('.woff2'));
  if (!face) throw new Error('the build has no heading face');
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${face}">`;
}

/** The files of the site's code, the entry first, and of the page's own chunks; and the styles of those. */
function filesOf(source) {
  const code = new Set();
  const styles = new Set();
  const seen = new Set();
  function walk(name) {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    code.add(`/${chunk.file}`);
    if (!chunk.isEntry) for (const style of chunk.css ?? []) styles.add(`/${style}`);
    for (const next of chunk.imports ?? []) walk(next);
  }
  walk('index.html');
  walk(source);
  return { code: [...code], styles: [...styles] };
}
