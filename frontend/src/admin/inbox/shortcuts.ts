// Keyboard shortcuts of the list and the open request.
import { useEffect, useRef } from 'react';
import { isTyped, shortcutsEnabled } from '../ui/keys';

export type Command =
  | 'next'
  | 'previous'
  | 'accept'
  | 'reject'
  | 'complete'
  | 'take'
  | 'undo'
  | 'select'
  | 'reply'
  | 'call'
  | 'note'
  | 'edit'
  | 'phone'
  | 'remind'
  | 'offer'
  | 'makeQuote'
  | 'won'
  | 'lost'
  | 'notCustomer'
  | 'release'
  | 'discard'
  | 'search'
  | 'help'
  | 'close'
  | 'letGo';

const keys: Record<string, Command> = {
  j: 'next',
  k: 'previous',
  a: 'accept',
  r: 'reject',
  c: 'complete',
  m: 'take',
  z: 'undo',
  x: 'select',
  e: 'reply',
  l: 'call',
  n: 'note',
  f: 'edit',
  p: 'phone',
  s: 'remind',
  o: 'offer',
  q: 'makeQuote',
  1: 'won',
  2: 'lost',
  3: 'notCustomer',
  y: 'release',
  d: 'discard',
  '/': 'search',
  '?': 'help',
  Escape: 'close',
};

/** Arrow keys work on a row only, so that they scroll everywhere else. */
const arrows: Record<string, Command> = { ArrowDown: 'next', ArrowUp: 'previous' };

/** Keys and descriptions in the order of the help dialog. */
export const shortcutList: [keys: string[], does: string][] = [
  [['j', '↓'], 'Next request'],
  [['k', '↑'], 'Previous request'],
  [['Enter'], 'Open the request'],
  [['Esc'], 'Close the request'],
  [['a'], 'Accept'],
  [['r', 'r'], 'Reject (press twice)'],
  [['c'], 'Complete'],
  [['m'], 'Take it'],
  [['z'], 'Undo my last change or reply'],
  [['x'], 'Select'],
  [['e'], 'Reply by email'],
  [['l'], 'Log a call'],
  [['n'], 'Add a note'],
  [['f'], 'Edit name, address, place and the other details'],
  [['p'], 'Take a request by phone'],
  [['g'], 'Open the emergency that waits'],
  [['s'], 'Remind me (snooze)'],
  [['o'], 'Make an offer for the open request'],
  [['q'], 'Make a quote request of a contact message'],
  [['1', '2', '3'], 'Won, lost, not a customer, when it is asked; Esc skips'],
  [['y'], 'Release a held request'],
  [['d'], 'Discard a held request'],
  [['/'], 'Search'],
  [['?'], 'This help'],
];

/** Commands that work although single keys are switched off. */
const always: ReadonlySet<Command> = new Set(['close', 'help', 'letGo']);

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'target'>;

/**
 * The command of a key event; undefined while typing, with modifier keys, or on an unwanted repeat.
 * Escape closes the form of the open request also while typing in it: what was typed is kept. Every
 * other control lets go of the focus with it.
 */
export function commandOf(event: Pressed): Command | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target as Element | null;
  if (event.key === 'Escape' && target?.closest?.('.panel-form')) return 'close';
  if (event.key === 'Escape' && isTyped(target) && !target?.closest?.('dialog')) return 'letGo';
  if (isTyped(target)) return undefined;
  const onRow = target?.closest?.('.row-link, .row-select') != null;
  const command =
    (onRow ? arrows[event.key] : undefined) ??
    keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const moves = command === 'next' || command === 'previous';
  return event.repeat && !moves ? undefined : command;
}

/**
 * Runs commands as their keys are pressed. The key's default is prevented only if `run` returns
 * true.
 */
export function useShortcuts(run: (command: Command) => boolean) {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const command = commandOf(event);
      if (!command || !(always.has(command) || shortcutsEnabled())) return;
      if (latest.current(command)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
