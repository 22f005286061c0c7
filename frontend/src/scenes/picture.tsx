// A scene as a lazily loaded image file (written by the prerenderer), for pages with many scenes,
// where inline SVG would delay the page.
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
