// The compact head of a form or text page: heading, lead, and optionally a scene.
import type { ReactNode } from 'react';
import { ScenePicture } from '../scenes/picture';

type Props = { title: string; lead: string; scene?: string; children?: ReactNode };

export function PageHead({ title, lead, scene, children }: Props) {
  return (
    <header className="page-head">
      <div className="column">
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        {children}
      </div>
      {scene ? <ScenePicture name={scene} /> : null}
    </header>
  );
}
