// Serves dist/ as the server would, with sample facts: `npm run preview [port]`. For looking at pages; not the product.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillFacts } from './facts.mjs';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/** The document for an address: its exact query, else its path, else the not-found page. */
function rowFor(rows, { pathname, search }) {
  const at = rows.filter((row) => row.path === pathname && row.status === 200);
  return (
    at.find((row) => row.query === search.slice(1)) ??
    at.find((row) => !row.query) ??
    rows.find((row) => row.status === 404)
  );
}

async function answer(request, response) {
  const url = new URL(request.url, 'http://preview');
  if (extname(url.pathname)) {
    const bytes = await readFile(dist + url.pathname.slice(1)).catch(() => null);
    response.writeHead(bytes ? 200 : 404, {
      'content-type': types[extname(url.pathname)] ?? 'application/octet-stream',
    });
    response.end(bytes);
    return;
  }
  const row = rowFor(JSON.parse(await readFile(`${dist}pages.json`, 'utf8')), url);
  response.writeHead(row.status, { 'content-type': types['.html'], 'content-security-policy': policy });
  response.end(fillFacts(await readFile(dist + row.file, 'utf8')));
}

const server = createServer((request, response) => answer(request, response).catch(() => response.destroy()));
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
