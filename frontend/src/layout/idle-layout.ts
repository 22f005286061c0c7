// Lays out the bands below the first view while the browser is idle, one band a task, and loads
// their pictures. A full-page capture and a print then show all of them, and the height of the page
// stays the same while it is scrolled.

/** The longest wait for an idle moment, in milliseconds: a page is complete two seconds later. */
const timeout = 100;

/** Where no idle moment can be waited for, at once: `setTimeout` takes no such options. */
const whenIdle = (task: () => void) =>
  (window.requestIdleCallback ?? setTimeout)(task, { timeout } as IdleRequestOptions & number);

/** Begins with what the page has now, once the document itself is complete. */
export function layOutWhenIdle() {
  const bands = document.querySelectorAll<HTMLElement>('.band');
  if (document.readyState === 'complete') whenIdle(() => layOut([...bands]));
  else addEventListener('load', layOutWhenIdle);
}

/** Lays out the first of these bands, then the others; without one, loads the pictures left. */
function layOut([band, ...others]: HTMLElement[]) {
  for (const picture of (band ?? document).querySelectorAll('img')) picture.loading = 'eager';
  if (!band) return;
  band.style.contentVisibility = 'visible';
  whenIdle(() => layOut(others));
}
