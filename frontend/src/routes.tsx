// Maps page keys to the modules that render them. Every public page is its own chunk; the admin
// code is never sent to visitors.
import type { ComponentType } from 'react';
import { matchPath, type PageProps, type PathMatch, pageByKey } from './content/route-manifest';
import { preloadLayout } from './layout/page-layout';
import { type StaticIsland, staticIsland } from './static-island';

/**
 * `islands` lists the static islands of the page, which must be preloaded before it is rendered.
 */
type PageModule = {
  default: ComponentType<PageProps>;
  islands?: StaticIsland[];
  prepare?(params: PathMatch['params']): Promise<void>;
};

/**
 * The module of the page in the build manifest: `source` if it is preloaded with the document,
 * `styles` if the document needs its stylesheet only. A `bare` page has its own header and footer.
 */
type Route = {
  source: string;
  styles?: string;
  bare?: boolean;
  /** Loads the component to hydrate server HTML with. */
  hydrate(): Promise<ComponentType<PageProps>>;
  /** Loads the component and everything it needs to render without server HTML. */
  load(params: PathMatch['params']): Promise<ComponentType<PageProps>>;
};

const modules = import.meta.glob<PageModule>(['./pages/*.tsx', './admin/admin-page.tsx', '!**/*.test.tsx']);

/**
 * A page with state or handlers. Its chunk is loaded first and renders synchronously, so hydration
 * changes nothing.
 */
function page(source: string): Route {
  const load = moduleLoader(source);
  return {
    source,
    bare: source.startsWith('./admin'),
    hydrate: async () => (await load()).default,
    load: async () => {
      const module = await load();
      await Promise.all((module.islands ?? []).map((island) => island.preload()));
      return module.default;
    },
  };
}

/** A page without state or handlers: hydrating it loads none of its code. */
function staticPage(source: string): Route {
  const island = staticIsland(moduleLoader(source));
  return {
    source: '',
    styles: source,
    hydrate: async () => island,
    load: async (params) => {
      await island.preload(params);
      return island;
    },
  };
}

function moduleLoader(source: string): () => Promise<PageModule> {
  return modules[source] as () => Promise<PageModule>;
}

/** The modules of pages with state or handlers; all others are static. */
const interactive = ['home', 'contact', 'careers', 'quote', 'not-found', 'admin-page'];

/** The routes by the names of their modules (`./pages/NAME.tsx`), which most page keys are. */
const routes: Record<string, Route> = {};
for (const source of Object.keys(modules)) {
  const name = source.slice(8, -4);
  routes[name] = interactive.includes(name) ? page(source) : staticPage(source);
}

/** Every page whose key is not the name of a module is one of the admin, the API or a service. */
function routeOf(key: string): Route {
  const shared = key.startsWith('admin')
    ? 'admin-page'
    : key.startsWith('api')
      ? 'api-docs'
      : 'service-landing';
  return (routes[key] ?? routes[shared]) as Route;
}

/**
 * The route of a path. `served` is the page key of the server response, which takes precedence on
 * first load.
 */
export function matchRoute(path: string, served?: string): PathMatch & { route: Route } {
  const found = served === 'not-found' ? { page: pageByKey(served), params: {} } : matchPath(path);
  return { ...found, route: routeOf(found.page.key) };
}

/** A route whose component is loaded. `title` is empty if the document already has it. */
export type LoadedRoute = PathMatch & {
  path: string;
  bare: boolean;
  title: string;
  Page: ComponentType<PageProps>;
};

/** Loads a route to hydrate; `served` is the page key of the server response. */
export async function hydrateRoute(path: string, served?: string): Promise<LoadedRoute> {
  const { page, params, route } = matchRoute(path, served);
  return { page, params, path, bare: route.bare === true, title: '', Page: await route.hydrate() };
}

/** Loads a route to render in the browser. */
export async function loadRoute(path: string, served?: string): Promise<LoadedRoute> {
  const { page, params, route } = matchRoute(path, served);
  const [{ titleOf }, Page] = await Promise.all([
    import('./content/titles'),
    route.load(params),
    route.bare ? undefined : preloadLayout(),
  ]);
  return { page, params, path, bare: route.bare === true, title: titleOf({ page, params }), Page };
}
