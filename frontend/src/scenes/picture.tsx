// A scene as a picture file of its own (written by the prerenderer), fetched when it comes into view: where a page shows
// many of them, drawing each into the page would make every visitor wait for all.
import { company } from '../company';

export function ScenePicture({ name }: { name: string }) {
  return (
    <div className="scene" data-scene={name} aria-hidden="true">
      <img
        src={company.photos?.[name] ?? `/scenes/${name}.svg`}
        alt=""
        width="640"
        height="400"
        loading="lazy"
        decoding="async"
      />
    </div>
  );
}
