// What was typed and is not saved on the server, kept in this browser until it is: nothing typed is
// lost by a closed tab, an expired session or a lost connection.
import { getJson, setItem } from '../../safe-storage';

/** An edited section: its value, and the number of the draft that it was made from (0: none). */
export type Edit = { value: unknown; base: number };

export type Edits = Readonly<Record<string, Edit>>;

const nameOf = (user: string) => `site-edits.${user}`;

export function readKept(user: string): Edits {
  return getJson<Edits>('localStorage', nameOf(user), {});
}

/** Keeps what has changed since `before`, beside the sections that another tab keeps. */
export function keep(user: string, before: Edits, edits: Edits) {
  const kept: Record<string, Edit | undefined> = { ...readKept(user) };
  for (const key of Object.keys({ ...before, ...edits }))
    if (edits[key] !== before[key]) kept[key] = edits[key];
  setItem('localStorage', nameOf(user), JSON.stringify(kept));
}
