// The low head of a page that is there for its form or its text: a heading, a line, and at most a corner of the night.
import { ScenePicture } from '../scenes/picture';

export function PageHead({ title, lead, scene }: { title: string; lead: string; scene?: string }) {
  return (
    <header className="page-head">
      <div className="column">
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </div>
      {scene ? <ScenePicture name={scene} /> : null}
    </header>
  );
}
