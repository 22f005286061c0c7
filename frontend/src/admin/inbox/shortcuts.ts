// Keyboard shortcuts of the list and the open request.

import { useEffect, useRef } from 'react';
import { isTyped, shortcutsEnabled } from '../ui/keys';
import type { Command } from './desk-commands';

/** Keys and what they do, in the groups of the help; one without a command is not a single key. */
type Shortcut = { keys: string[]; does: string; command?: Command };

const key = (command: Command, keys: string, does: string): Shortcut => ({
  command,
  keys: keys.split(' '),
  does,
});

export const shortcutGroups: [title: string, Shortcut[]][] = [
  [
    'The list',
    [
      key('next', 'j ↓', 'Next request'),
      key('previous', 'k ↑', 'Previous request'),
      { keys: ['Enter'], does: 'Open the request' },
      key('close', 'Esc', 'Close the request'),
      key('select', 'x', 'Select'),
      key('search', '/', 'Search'),
      { keys: ['g'], does: 'Open the emergency that waits' },
      key('phone', 'p', 'Take a request by phone'),
    ],
  ],
  [
    'A request',
    [
      key('accept', 'a', 'Accept'),
      key('reject', 'r r', 'Reject (press twice)'),
      key('complete', 'c', 'Complete'),
      key('take', 'm', 'Take it'),
      key('undo', 'z', 'Undo my last change or reply'),
      key('call', 'l', 'Log a call'),
      key('note', 'n', 'Add a note'),
      key('edit', 'f', 'Edit name, address, place and the other details'),
      key('remind', 's', 'Remind me (snooze)'),
      key('offer', 'o', 'Make an offer for the open request'),
      key('makeQuote', 'q', 'Make a quote request of a contact message'),
    ],
  ],
  [
    'A reply',
    [
      key('reply', 'e', 'Reply by email'),
      { keys: ['/'], does: 'Insert a template, in an empty line of the text' },
      { keys: ['Ctrl', 'Enter'], does: 'Send' },
      { keys: ['Ctrl', 'Shift', 'Enter'], does: 'Send, and open the next request' },
    ],
  ],
  [
    'Held as spam',
    [key('release', 'y', 'Release a held request'), key('discard', 'd', 'Discard a held request')],
  ],
  [
    'When it is asked how a request ended (Esc skips)',
    [key('won', '1', 'Won'), key('lost', '2', 'Lost'), key('notCustomer', '3', 'Not a customer')],
  ],
  ['Anywhere', [{ keys: ['Ctrl', 'K'], does: 'All commands and pages' }, key('help', '?', 'This help')]],
];

/** The single keys, each with its command. */
export const shortcuts = shortcutGroups
  .flatMap(([, list]) => list)
  .flatMap(({ command, keys: [first = ''], does }) => (command ? [{ command, key: first, does }] : []));

const keys: Record<string, Command> = Object.fromEntries(
  shortcuts.map(({ command, key }) => [key === 'Esc' ? 'Escape' : key, command]),
);

/** Arrow keys work on a row only, so that they scroll everywhere else. */
const arrows: Record<string, Command> = { ArrowDown: 'next', ArrowUp: 'previous' };

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
