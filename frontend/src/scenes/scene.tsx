// A scene by name. In a document from the server it is drawn inline; after navigation in the
// browser it is a picture, since no script may set HTML (Trusted Types) and none then loads the
// drawings. If the media folder has a photo of that name, the server replaces the scene in the
// prerendered page and lists the photo in the company data for client-side rendering.
import { company } from '../company';
import { useServerHtml } from '../static-island';
import { scenes } from './all';
import { ScenePicture } from './picture';

type SceneName = keyof typeof scenes;

/** Decorative; the adjacent text has the same information. */
export function Scene({ name }: { name: string }) {
  const served = useServerHtml();
  const drawing = import.meta.env.SSR
    ? { dangerouslySetInnerHTML: { __html: scenes[name as SceneName] } }
    : served;
  if (company.photos?.[name] || !drawing.dangerouslySetInnerHTML) return <ScenePicture name={name} />;
  return <div className="scene" data-scene={name} aria-hidden="true" {...drawing} />;
}
