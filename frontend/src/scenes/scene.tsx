// An inline scene by name. If the media folder has a photo of that name, the server replaces the
// scene in the prerendered page and lists the photo in the company data for client-side rendering.
import { company } from '../company';
import { scenes } from './all';
import { ScenePicture } from './picture';

type SceneName = keyof typeof scenes;

/** Decorative; the adjacent text has the same information. */
export function Scene({ name }: { name: string }) {
  if (company.photos?.[name]) return <ScenePicture name={name} />;
  const drawing = { __html: scenes[name as SceneName] };
  return <div className="scene" data-scene={name} aria-hidden="true" dangerouslySetInnerHTML={drawing} />;
}
