// Static islands: parts of a page without state or handlers. They are prerendered; hydration keeps
// their server HTML and loads neither their code nor their texts. Only client-side navigation loads
// their code, before they are shown.
import { type ComponentType, useState } from 'react';

type Params = Record<string, string>;

/** `prepare` fetches the data for these path parameters before the component is rendered. */
type IslandModule<P> = { default: ComponentType<P>; prepare?(params: Params): Promise<void> };

/**
 * A component that needs `preload` before rendering, unless its HTML is already in the document.
 */
export type StaticIsland<P = object> = ComponentType<P> & { preload(params?: Params): Promise<void> };

/** Empty inner HTML: hydration leaves the children of the element unchanged. */
const keepServerHtml = { __html: '' };

/** Active while the server HTML is hydrated, once, at startup (see main.tsx). */
export const hydration = { active: false };

/** Props for an element whose content may come from the server: hydration leaves it unchanged. */
export function useServerHtml(): { dangerouslySetInnerHTML?: { __html: string } } {
  const [served] = useState(() => (hydration.active ? { dangerouslySetInnerHTML: keepServerHtml } : {}));
  return served;
}

/** Wraps a module whose component has no state and no handlers (navigation.ts handles links). */
export function staticIsland<P extends object>(load: () => Promise<IslandModule<P>>): StaticIsland<P> {
  let LoadedComponent: ComponentType<P> | undefined;

  function Island(props: P) {
    // Fixed on first render: an island with server HTML keeps it, even if its code loads later.
    const [Component] = useState<ComponentType<P> | undefined>(() => LoadedComponent);
    if (Component) {
      return (
        <div className="island">
          <Component {...props} />
        </div>
      );
    }
    return <div className="island" dangerouslySetInnerHTML={keepServerHtml} />;
  }

  return Object.assign(Island, {
    preload: async (params: Params = {}) => {
      const module = await load();
      await module.prepare?.(params);
      LoadedComponent = module.default;
    },
  });
}
