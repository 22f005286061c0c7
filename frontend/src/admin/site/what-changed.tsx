// What a version changed since the one before it, read when it is opened.
import { type ReactNode, useState } from 'react';
import { useAttempt } from '../ui/use-attempt';
import { Waiting } from '../ui/waiting';

type Props<T> = { version: number; read(): Promise<T>; children(changes: T): ReactNode };

export function WhatChanged<T>({ version, read, children }: Props<T>) {
  const [changes, setChanges] = useState<T>();
  const { alert, attempt } = useAttempt();
  const load = () => attempt(async () => setChanges(await read()));
  return (
    <details
      className="site-folded"
      onToggle={(event) => {
        if (event.currentTarget.open && !changes) load();
      }}
    >
      <summary aria-label={`What changed in version ${version}`}>What changed</summary>
      {changes ? children(changes) : <Waiting problem={alert} retry={load} />}
    </details>
  );
}
