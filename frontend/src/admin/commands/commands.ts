// What can be done on the page that is shown, beside going to another one: the dashboard's
// commands, in the list that Ctrl+K opens on every page.
import { useEffect } from 'react';
import type { Pick } from './pick-list';

let shown: readonly Pick[] = [];

export const shownCommands = () => shown;

/** Offers these commands for as long as the component is there. */
export function useCommands(commands: readonly Pick[]) {
  useEffect(() => {
    shown = commands;
    return () => {
      shown = [];
    };
  });
}
