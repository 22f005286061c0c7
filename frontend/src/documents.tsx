// Renders every document of the site to HTML, when the site is built (prerender.tsx) and when the
// office has changed the content (renderer.tsx). The server writes the head; the body has
// placeholders for company data.
import { renderToString } from 'preact-render-to-string';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { App } from './app';
import { routeManifest } from './content/route-manifest';
import { pages as services } from './content/services';
import { states } from './content/states';
import { PageLayout } from './layout/page-layout';
import { loadRoute, matchRoute } from './routes';
import { CaseStatus } from './sections/case-status';

/**
 * One document: its URL, its page, and its HTML. `source` is the module to preload, or empty;
 * `styles` the one whose stylesheet it needs.
 */
export type Document = {
  path: string;
  query: string;
  key: string;
  params: Record<string, string>;
  status: number;
  source: string;
  styles: string;
  html: string;
};

/**
 * All documents, in the order of the route manifest, then those that the server fills in. Those
 * of the pages whose keys match `without` are left out.
 */
export async function documents(without?: RegExp): Promise<Document[]> {
  const all: Document[] = [];
  for (const { path, query, served } of urls()) {
    if (without?.test(matchRoute(path, served).page.key)) continue;
    const first = await loadRoute(path, served);
    const html = renderToString(
      <Router ssrPath={path} ssrSearch={query}>
        <App first={first} />
      </Router>,
    );
    const { page, params } = first;
    const { source, styles = source } = matchRoute(path, served).route;
    const status = served ? 404 : 200;
    all.push({ path, query, key: page.key, params, status, source, styles, html: withEncoding(html) });
  }
  return [...all, filledIn('case', <CaseStatus />), filledIn('offer', <OfferPage />)];
}

/** Files are sent without a script too. Not in the component: the browser's code never needs it. */
function withEncoding(html: string): string {
  return html.replace('id="quote-form"', '$& enctype="multipart/form-data"');
}

/** A document that the server fills in, rendered after the others, which have loaded the layout. */
function filledIn(key: string, content: ReactNode): Document {
  const html = renderToString(
    <Router ssrPath={`/${key}`}>
      <PageLayout path={`/${key}`}>{content}</PageLayout>
    </Router>,
  );
  return { path: '', query: '', key, params: {}, status: 200, source: '', styles: '', html };
}

/** Around what src/http/offer_page says of an offer. */
function OfferPage() {
  return (
    <div className="band">
      <div className="column offer">
        <h1>{'{{offer.heading}}'}</h1>
        {'{{offer.body}}'}
      </div>
    </div>
  );
}

function urls(): { path: string; query: string; served?: string }[] {
  const plain = routeManifest.flatMap(({ key, path }) => {
    if (!path) return [{ path: '', query: '', served: key }];
    if (path.includes('{slug}'))
      return states.map(({ slug }) => ({ path: path.replace('{slug}', slug), query: '' }));
    return [{ path, query: '' }];
  });
  const quotes = [...new Set(services.map(({ quote }) => quote))].map((value) => ({
    path: '/quote',
    query: `service=${value}`,
  }));
  return [
    ...plain,
    ...quotes,
    { path: '/quote', query: 'sent=1' },
    { path: '/contact', query: 'sent=1' },
    { path: '/contact', query: 'service=certificate' },
    { path: '/careers', query: 'sent=1' },
  ];
}
