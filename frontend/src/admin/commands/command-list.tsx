// All commands and pages in one list, by Ctrl+K on every page of the desk.

import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { type Pick, PickList } from './pick-list';

type Props = { pages: readonly { href: string; name: string }[] };

export function CommandList({ pages }: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]'))
        return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  if (!open) return null;
  const ways = pages.map(({ href, name }) => ({ name: `Go to ${name}`, run: () => navigate(href) }));
  return (
    <PickList label="Commands and pages" picks={[...shownCommands(), ...ways]} close={() => setOpen(false)} />
  );
}

/**
 * What can be done on the page that is shown, beside going to another one: the dashboard's
 * commands, in the list that Ctrl+K opens on every page.
 */
let shown: readonly Pick[] = [];

const shownCommands = () => shown;

/** Offers these commands for as long as the component is there. */
export function useCommands(commands: readonly Pick[]) {
  useEffect(() => {
    shown = commands;
    return () => {
      shown = [];
    };
  });
}
