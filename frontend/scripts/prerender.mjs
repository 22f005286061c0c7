// Writes dist/pages/*.html, the page renderer, dist/pages.json and dist/scenes/*.svg from the
// builds, then removes intermediate files.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { minify } from 'vite';
import { writeImages, writeScenes } from './images.mjs';
import { writeShiftReport } from './shift-report.mjs';

/** The keys of the dashboard's pages. */
const dashboard = /^admin/;

/**
 * The keys of pages whose stylesheet is linked, not inlined: the admin loads a second one with it,
 * and the API reference would exceed its byte budget.
 */
const linked = /^(admin|api-docs)/;

/** The keys of the pages without any script of the site. */
const withoutScripts = /^(case|offer)$/;

/** A stylesheet for print is loaded later, but without scripts at once. */
const printLink = '<link rel="stylesheet" href="/print.css" media="print" />';
const laterPrintLink = `${printLink.replace('href', 'data-later')}<noscript>${printLink}</noscript>`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { documents, renderSocialImages, renderScenes } = await import(`${root}dist-ssr/prerender.js`);
const template = await readFile(`${root}dist/index.html`, 'utf8');
const manifest = JSON.parse(await readFile(`${root}dist/.vite/manifest.json`, 'utf8'));

await mkdir(`${root}dist/pages`, { recursive: true });
const rows = [];
for (const { html, source, styles, ...row } of await documents()) {
  const file = `pages/${fileName(row)}.html`;
  const document = wholeDocument(row.key, filesOf(source, styles), html);
  await writeFile(`${root}dist/${file}`, document);
  rows.push({ ...row, file, inline: inlineFilesOf(document) });
}
await copyFile(`${root}dist-renderer/renderer.js`, `${root}dist/pages/renderer.js`);
await minifyStart();
await writeFile(`${root}dist/pages.json`, `${JSON.stringify(rows, null, 1)}\n`);
await writeImages(root, renderSocialImages());
await writeScenes(root, renderScenes());
await writeShiftReport(root);
await rm(`${root}dist/index.html`);
await rm(`${root}dist/.vite`, { recursive: true });
await rm(`${root}dist-ssr`, { recursive: true });
await rm(`${root}dist-renderer`, { recursive: true });
console.log(`prerendered ${rows.length} documents`);

/** The paths of the files that the server puts into a document. */
function inlineFilesOf(document) {
  return [...document.matchAll(/ data-inline [^>]*(?:href|src)="([^"]+)"/g)].map(([, path]) => path);
}

/** The server puts this script into every document. */
async function minifyStart() {
  const file = `${root}dist/start.js`;
  const { code } = await minify('start.js', await readFile(file, 'utf8'), { module: true });
  await writeFile(file, code.trim());
}

function fileName({ path, query, key }) {
  if (!path) return key;
  const name = path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
  return query ? `${name}--${query.replace('=', '-')}` : name;
}

/**
 * The spam trap for programs that fill in every field (seeds/forms/README.md). It is outside of the
 * hydrated part, so that it needs no script.
 */
function trapOf(html) {
  const [, form] = /<form[^>]* id="((?:contact|quote)-form)"/.exec(html) ?? [];
  const input = `<input form="${form}" name="motto" tabindex="-1" autocomplete="off">`;
  return form ? `<p hidden aria-hidden="true"><label>Leave this empty ${input}</label></p>` : '';
}

/** `data-code` lists the code files for public/start.js, which loads them after the first paint. */
function wholeDocument(key, { code, styles }, html) {
  const isStatic = withoutScripts.test(key);
  const start = '\n    <script data-inline type="module" src="/start.js"></script>';
  const script = isStatic ? '' : start;
  const codeFiles = isStatic ? '' : ` data-code="${code.join(' ')}"`;
  const mark = linked.test(key) ? '' : ' data-inline';
  const links = styles.map((file) => `  <link${mark} rel="stylesheet" crossorigin href="${file}">\n  `);
  return template
    .replace('/manifest.webmanifest', dashboard.test(key) ? '/admin.webmanifest' : '/manifest.webmanifest')
    .replace(printLink, isStatic ? printLink : laterPrintLink)
    .replace('<link rel="stylesheet" crossorigin', `<link${mark} rel="stylesheet" crossorigin`)
    .replace(/<script type="module".*<\/script>/, fontPreload() + script)
    .replace(/ *<link rel="modulepreload".*\n/g, '')
    .replace('</head>', `${links.join('')}</head>`)
    .replace('</body>', `${trapOf(html)}</body>`)
    .replace('<div id="app"><!--app-->', () => `<div id="app" data-page="${key}"${codeFiles}>${html}`);
}

/**
 * Preloads the heading font, which every page needs at once; otherwise it would wait for the
 * stylesheet.
 */
function fontPreload() {
  const face = (manifest['index.html'].assets ?? []).find((file) => file.endsWith('.woff2'));
  if (!face) throw new Error('the build has no heading face');
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${face}">`;
}

/** The code files of the entry and of the page, entry first, and the page's own styles. */
function filesOf(source, styled) {
  const code = chunks(['index.html', nameOf(source)]).map(({ file }) => `/${file}`);
  const styles = chunks([nameOf(styled)])
    .filter(({ isEntry }) => !isEntry)
    .flatMap(({ css = [] }) => css.map((file) => `/${file}`));
  return { code, styles: [...new Set(styles)] };
}

/** The name of a module in the build manifest. */
function nameOf(source) {
  return source.replace('./', 'src/');
}

/** The chunks of these modules and of all that they import. */
function chunks(names) {
  const seen = new Map();
  function walk(name) {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.set(name, chunk);
    for (const next of chunk.imports ?? []) walk(next);
  }
  names.forEach(walk);
  return [...seen.values()];
}
