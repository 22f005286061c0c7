// What was typed into the desk's forms and is not stored on the server yet, kept in this browser by
// user: nothing is lost by another page, a reload, the end of a session or a lost connection.
// Passwords and codes are never kept.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { getItem, getJson, setItem } from '../../safe-storage';

/** Milliseconds after which text that was not opened again is forgotten. */
const maxAge = 14 * 24 * 60 * 60_000;

type Kept = { at: number; value: unknown };

let owner = '';

const nameOf = (form: string) => `kept.${owner}.${form}`;

/** Keeps for this user from now on, and forgets what is too old. */
export function keepFor(user: string) {
  if (owner === user) return;
  owner = user;
  const prefix = `guardpost.${nameOf('')}`;
  for (const stored of storedNames().filter((name) => name.startsWith(prefix))) {
    const form = stored.slice(prefix.length);
    if (Date.now() - (entryOf(form)?.at ?? 0) > maxAge) forget(form);
  }
}

function storedNames(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

const entryOf = (form: string) => getJson<Kept | undefined>('localStorage', nameOf(form), undefined);

/** What is kept of a form, undefined for nothing. */
export function readKept<T>(form: string): T | undefined {
  return entryOf(form)?.value as T | undefined;
}

export function keep(form: string, value: unknown) {
  setItem('localStorage', nameOf(form), JSON.stringify({ at: Date.now(), value } satisfies Kept));
}

/** Forgets what was stored on the server, or taken back. */
export function forget(form: string) {
  if (getItem('localStorage', nameOf(form))) removeItem('localStorage', nameOf(form));
}

/** Removes a stored string; there is none afterwards. */
export function removeItem(area: 'localStorage' | 'sessionStorage', name: string) {
  setItem(area, name, '');
  try {
    window[area].removeItem(`guardpost.${name}`);
  } catch {
    // An empty text is as good.
  }
}

/** A state of which what is not undefined is kept. */
export function useKept<T>(form: string) {
  const [value, setValue] = useState(() => readKept<T>(form));
  const set = (next: T | undefined) => {
    if (next === undefined) forget(form);
    else keep(form, next);
    setValue(next);
  };
  return [value, set] as const;
}

/**
 * Keeps the fields of a form, of which `initial` is what they hold at first; without a name,
 * nothing. A field that was not changed shows what is stored, also where that is newer.
 */
export function useKeptForm(name: string | undefined, initial?: Record<string, string>) {
  const form = useRef<HTMLFormElement>(null);
  const before = useRef<Record<string, string>>({});
  // With the form itself: what is typed right after it was drawn comes later.
  useLayoutEffect(() => {
    if (!form.current) return;
    write(form.current, initial ?? {});
    before.current = read(form.current);
    if (name) write(form.current, readKept<Record<string, string>>(name) ?? {});
  }, [name]);
  return {
    ref: form,
    typed() {
      if (!name || !form.current) return;
      const changed = Object.entries(read(form.current)).filter(
        ([field, value]) => value !== before.current[field],
      );
      if (changed.length > 0) keep(name, Object.fromEntries(changed));
      else forget(name);
    },
    /** What is in the fields was stored. */
    stored() {
      if (name) forget(name);
      if (form.current) before.current = read(form.current);
    },
  };
}

/** Whether another tab of this user is typing into the form too. */
export function useOtherTab(form: string): boolean {
  const [typing, setTyping] = useState(false);
  useEffect(() => {
    setTyping(false);
    const look = ({ key, newValue }: StorageEvent) => {
      if (key === `guardpost.${nameOf(form)}`) setTyping((was) => was || Boolean(newValue));
    };
    addEventListener('storage', look);
    return () => removeEventListener('storage', look);
  }, [form]);
  return typing;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isTicked = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio';

/** Boxes with one name differ by their values. */
const fieldOf = (control: Control) =>
  isTicked(control) && control.value !== 'on' ? `${control.name}=${control.value}` : control.name;

const controlsOf = (form: HTMLFormElement) =>
  ([...form.elements] as Control[]).filter((control) => control.name && control.type !== 'file');

/** The values of the fields; a box that is ticked is `on`. */
function read(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(
    controlsOf(form).map((control) => [
      fieldOf(control),
      isTicked(control) ? (control.checked ? 'on' : '') : control.value,
    ]),
  );
}

function write(form: HTMLFormElement, values: Record<string, string>) {
  for (const control of controlsOf(form)) {
    const value = values[fieldOf(control)];
    if (value === undefined) continue;
    if (isTicked(control)) control.checked = value === 'on';
    else control.value = value;
  }
}
