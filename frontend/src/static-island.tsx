// Parts of a page that never change in the browser. The prerenderer draws them; hydration adopts them as they stand,
// without their code or words being loaded; only a visitor who comes by client navigation loads them, before they are shown.
import { type ComponentType, useState } from 'react';

type Params = Record<string, string>;

/** `prepare` fetches what the component needs for these parameters of the path, before it is drawn. */
type IslandModule<P> = { default: ComponentType<P>; prepare?(params: Params): Promise<void> };

/** A component that must be made `ready` before it is drawn, except where its HTML is already in the document. */
export type StaticIsland<P = object> = ComponentType<P> & { preload(params?: Params): Promise<void> };

/** Says that an element's children are not ours: hydration leaves them as they stand. */
const keepServerHtml = { __html: '' };

/** True while the server's HTML is being taken over, which happens once, at the start (see main.tsx). */
export const hydration = { active: false };

/** Props for an element whose content the server may have filled: it is left alone, but never made from nothing. */
export function useServerHtml(): { dangerouslySetInnerHTML?: { __html: string } } {
  const [served] = useState(() => (hydration.active ? { dangerouslySetInnerHTML: keepServerHtml } : {}));
  return served;
}

/** Wraps a module whose component is plain HTML: no state, no handlers (links are handled by `navigation.ts`). */
export function staticIsland<P extends object>(load: () => Promise<IslandModule<P>>): StaticIsland<P> {
  let LoadedComponent: ComponentType<P> | undefined;

  function Island(props: P) {
    // Decided once: a part that was adopted stays adopted, even if its code arrives later.
    const [Component] = useState<ComponentType<P> | undefined>(() => LoadedComponent);
    if (Component) {
      return (
        <div className="static-island">
          <Component {...props} />
        </div>
      );
    }
    return <div className="static-island" dangerouslySetInnerHTML={keepServerHtml} />;
  }

  return Object.assign(Island, {
    preload: async (params: Params = {}) => {
      const module = await load();
      await module.prepare?.(params);
      LoadedComponent = module.default;
    },
  });
}
