// A scene by its name. Where the operator has put a photo of that name into the media folder, the server swaps it into the
// prerendered page and names it in the company's facts, so that pages drawn in the browser show it as well.
import { company } from '../company';
import { scenes } from './all';

type SceneName = keyof typeof scenes;

/** Decorative: what it shows is said in the words beside it. */
export function Scene({ name }: { name: string }) {
  const photo = company.photos?.[name];
  const Drawing = scenes[name as SceneName];
  return (
    <div className="scene" data-scene={name} aria-hidden="true">
      {photo ? (
        <img src={photo} alt="" width="640" height="400" loading="lazy" decoding="async" />
      ) : (
        <Drawing />
      )}
    </div>
  );
}
