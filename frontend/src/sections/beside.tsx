// A section whose heading, and a picture if it has one, stand beside its content on wide screens.
import type { ReactNode } from 'react';
import { ScenePicture } from '../scenes/picture';

type Props = {
  id: string;
  kicker: string;
  title: string;
  background?: 'mist' | 'ink';
  /** The scene below the heading, on wide screens. */
  scene?: string;
  children: ReactNode;
};

export function Beside({ id, kicker, title, background, scene, children }: Props) {
  return (
    <section
      id={id}
      className={background ? `band band-${background}` : 'band'}
      aria-labelledby={`${id}-title`}
    >
      <div className="column beside">
        <div>
          <p className="kicker">{kicker}</p>
          <h2 id={`${id}-title`}>{title}</h2>
          {scene ? <ScenePicture name={scene} /> : null}
        </div>
        <div>{children}</div>
      </div>
    </section>
  );
}
