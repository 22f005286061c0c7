// The low head of a page that is there for its form or its text: a heading, a line, and at most a corner of the night.
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
