// Web Storage with an in-memory fallback for when storage is disabled or full; the fallback lasts
// as long as the page. Nothing personal of a visitor is stored here (see the privacy page); the
// desk keeps what its users type (admin/ui/kept.ts).

type Area = 'localStorage' | 'sessionStorage';

const memory = new Map<string, string>();

/** Stores a string. `localStorage` outlives the tab, `sessionStorage` does not. */
export function setItem(area: Area, name: string, text: string) {
  memory.set(name, text);
  try {
    window[area].setItem(`guardpost.${name}`, text);
  } catch {
    // `memory` holds the value until the page is left.
  }
}

/** The stored string, or null. */
export function getItem(area: Area, name: string): string | null {
  try {
    return window[area].getItem(`guardpost.${name}`) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

/** The stored JSON value, or `fallback` if there is none or it does not parse. */
export function getJson<T>(area: Area, name: string, fallback: T): T {
  try {
    return JSON.parse(getItem(area, name) ?? '') ?? fallback;
  } catch {
    return fallback;
  }
}
