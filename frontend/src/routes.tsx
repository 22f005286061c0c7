// Page key -> the module that draws it. Every public page is its own chunk; the admin never reaches a visitor.
import type { ComponentType } from 'react';
import { matchPath, type PathMatch, pageByKey } from './content/route-manifest';
import { preloadLayout } from './layout/page-layout';
import { type StaticIsland, staticIsland } from './static-island';

/** What every page component is given. `search` is the query without its question mark. */
export type PageProps = { page: PathMatch['page']; params: Record<string, string>; search: string };

/** `parts` names the still parts which the page uses, so that they are ready before it is drawn. */
type PageModule = {
  default: ComponentType<PageProps>;
  parts?: StaticIsland[];
  prepare?(params: PathMatch['params']): Promise<void>;
};

/** `source` finds the chunk in the build's manifest, for preloading. `bare` pages bring their own header and footer. */
type Route = {
  source: string;
  bare?: boolean;
  /** The component to draw over HTML that is already there. */
  hydrate(): Promise<ComponentType<PageProps>>;
  /** The component to draw from nothing. */
  load(params: PathMatch['params']): Promise<ComponentType<PageProps>>;
};

const modules = import.meta.glob<PageModule>(['./pages/*.tsx', './admin/admin-page.tsx', '!**/*.test.tsx']);

/** A page with state or handlers: its chunk is awaited, then it renders synchronously, so hydration changes nothing. */
function page(source: string, options: { bare?: boolean } = {}): Route {
  const load = moduleLoader(source);
  return {
    source: fromRoot(source),
    ...options,
    hydrate: async () => (await load()).default,
    load: async () => {
      const module = await load();
      await Promise.all((module.parts ?? []).map((part) => part.preload()));
      return module.default;
    },
  };
}

/** A page that is words and pictures only: a visitor who lands on it loads none of its code. */
function staticPage(source: string): Route {
  const part = staticIsland(moduleLoader(source));
  return {
    source: '',
    hydrate: async () => part,
    load: async (params) => {
      await part.preload(params);
      return part;
    },
  };
}

function moduleLoader(source: string): () => Promise<PageModule> {
  const load = modules[source];
  if (!load) throw new Error(`no module ${source}`);
  return load;
}

function fromRoot(source: string): string {
  return source.replace('./', 'src/');
}

export const routes: Record<string, Route> = {
  home: page('./pages/home.tsx'),
  'fire-watch': staticPage('./pages/service-landing.tsx'),
  'security-services': staticPage('./pages/service-landing.tsx'),
  'mobile-patrol': staticPage('./pages/service-landing.tsx'),
  surveillance: staticPage('./pages/service-landing.tsx'),
  concierge: staticPage('./pages/service-landing.tsx'),
  about: staticPage('./pages/about.tsx'),
  contact: page('./pages/contact.tsx'),
  quote: page('./pages/quote.tsx'),
  state: staticPage('./pages/state.tsx'),
  privacy: staticPage('./pages/privacy.tsx'),
  terms: staticPage('./pages/terms.tsx'),
  licensing: staticPage('./pages/licensing.tsx'),
  'api-docs': staticPage('./pages/api-docs.tsx'),
  admin: page('./admin/admin-page.tsx', { bare: true }),
  'not-found': page('./pages/not-found.tsx'),
};

/** What to show for a path. `served` is the key the server answered with, which is the truth on the first load. */
export function matchRoute(path: string, served?: string): PathMatch & { route: Route } {
  const found = served === 'not-found' ? { page: pageByKey(served), params: {} } : matchPath(path);
  const route = routes[found.page.key];
  return route ? { ...found, route } : matchRoute('', 'not-found');
}

/** A page whose component is at hand. `title` is empty where the document has it already. */
export type LoadedRoute = PathMatch & {
  path: string;
  bare: boolean;
  title: string;
  Page: ComponentType<PageProps>;
};

/** What a path shows, over the HTML the server sent; `served` is the page key it was sent with. */
export async function hydrateRoute(path: string, served?: string): Promise<LoadedRoute> {
  const { page, params, route } = matchRoute(path, served);
  return { page, params, path, bare: route.bare === true, title: '', Page: await route.hydrate() };
}

/** What a path shows, drawn from nothing. */
export async function loadRoute(path: string, served?: string): Promise<LoadedRoute> {
  const { page, params, route } = matchRoute(path, served);
  const [{ titleOf }, Page] = await Promise.all([
    import('./content/titles'),
    route.load(params),
    route.bare ? undefined : preloadLayout(),
  ]);
  return { page, params, path, bare: route.bare === true, title: titleOf({ page, params }), Page };
}
