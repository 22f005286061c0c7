// What the dashboard's single keys have in common. They can be switched off (WCAG 2.1.4).
import { getItem, setItem } from '../../safe-storage';

/** Where keys are typed, or choose. The checkbox of a row takes no key but the space bar. */
const typing = 'input, textarea, select, [contenteditable], dialog';

/** Whether a key belongs to the field that has the focus. */
export function isTyped(target: EventTarget | null): boolean {
  const element = target as Element | null;
  return element?.closest?.(typing) != null && !element.closest('.row-select');
}

export function shortcutsEnabled(): boolean {
  return getItem('localStorage', 'shortcuts') !== 'off';
}

export function setShortcuts(on: boolean) {
  setItem('localStorage', 'shortcuts', on ? 'on' : 'off');
}
