// A part of a form that is drawn when it is opened.
import { type ReactNode, useState } from 'react';
import { type Editing, type Path, pointer } from './shape';

/** A part that is drawn when it is opened, or when a rule is broken in it. */
export function Folded(props: { title: string; path: Path; editing: Editing; children: () => ReactNode }) {
  const { title, path, editing, children } = props;
  const at = `${pointer(path)}/`;
  const broken = Object.keys(editing.faults).some((fault) => fault.startsWith(at));
  const [open, setOpen] = useState(broken);
  return (
    <details
      className="site-folded"
      open={open || broken}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      {open || broken ? children() : null}
    </details>
  );
}
