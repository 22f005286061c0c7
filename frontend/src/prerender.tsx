// Renders every document of the site to HTML (built with `vite build --ssr`, run by
// scripts/prerender.mjs). The server writes the head; the body has placeholders for company data.
import { renderToString } from 'preact-render-to-string';
import { Router } from 'wouter';
import { App } from './app';
import { quoteValues } from './content/preselect';
import { routeManifest } from './content/route-manifest';
import { states } from './content/states';
import { loadRoute, routes } from './routes';

export { renderScenes, renderSocialImages } from './social-images';

/** One document: its URL, its page, and its HTML. `source` is the module to preload, or empty. */
export type Document = {
  path: string;
  query: string;
  key: string;
  params: Record<string, string>;
  status: number;
  source: string;
  html: string;
};

/** All documents, in the order of the route manifest. */
export async function documents(): Promise<Document[]> {
  const all: Document[] = [];
  for (const { path, query, served } of urls()) {
    const first = await loadRoute(path, served);
    const html = renderToString(
      <Router ssrPath={path} ssrSearch={query}>
        <App first={first} />
      </Router>,
    );
    const { page, params } = first;
    const source = routes[page.key]?.source ?? '';
    all.push({ path, query, key: page.key, params, status: served ? 404 : 200, source, html });
  }
  return all;
}

function urls(): { path: string; query: string; served?: string }[] {
  const plain = routeManifest.flatMap(({ key, path }) => {
    if (!path) return [{ path: '', query: '', served: key }];
    if (path.includes('{slug}'))
      return states.map(({ slug }) => ({ path: path.replace('{slug}', slug), query: '' }));
    return routes[key] ? [{ path, query: '' }] : [];
  });
  const quotes = quoteValues.map((value) => ({ path: '/quote', query: `service=${value}` }));
  return [...plain, ...quotes, { path: '/quote', query: 'sent=1' }, { path: '/contact', query: 'sent=1' }];
}
