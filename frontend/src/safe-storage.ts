// Small things kept in the browser between pages and reloads. Storage may be switched off or full: then they live as
// long as the page does. Nothing personal is kept here (see the privacy page).

type Area = 'localStorage' | 'sessionStorage';

const memory = new Map<string, string>();

/** Keeps a text under a name; `localStorage` outlives the tab, `sessionStorage` does not. */
export function setItem(area: Area, name: string, text: string) {
  memory.set(name, text);
  try {
    window[area].setItem(`guardpost.${name}`, text);
  } catch {
    // The memory above serves until the page is left.
  }
}

/** The text kept under a name, or null. */
export function getItem(area: Area, name: string): string | null {
  try {
    return window[area].getItem(`guardpost.${name}`) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

/** The JSON value kept under a name, or `otherwise` where there is none or it was tampered with. */
export function getJson<T>(area: Area, name: string, otherwise: T): T {
  try {
    return JSON.parse(getItem(area, name) ?? '') ?? otherwise;
  } catch {
    return otherwise;
  }
}
