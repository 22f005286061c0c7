// A part of a form that is drawn when it is opened.
import { type ReactNode, useState } from 'react';
import { type Editing, type Path, pointer } from './shape';

type Props = {
  title: string;
  path: Path;
  editing: Editing;
  /** A new entry is open. */
  startsOpen?: boolean;
  children: () => ReactNode;
};

/** A part that is drawn when it is opened, or when a rule is broken in it. */
export function Folded({ title, path, editing, startsOpen, children }: Props) {
  const at = `${pointer(path)}/`;
  const broken = Object.keys(editing.faults).some((fault) => fault.startsWith(at));
  const sought = editing.sought?.startsWith(at) === true;
  const [open, setOpen] = useState(broken || sought || startsOpen === true);
  return (
    <details
      className="site-folded"
      open={open || broken}
      onToggle={(event) => {
        const isOpen = event.currentTarget.open;
        setOpen(isOpen);
        if (isOpen) editing.opened?.(path);
      }}
    >
      <summary>{title}</summary>
      {open || broken ? children() : null}
    </details>
  );
}
