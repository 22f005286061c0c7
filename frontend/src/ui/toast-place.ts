// Keeps toasts off what is in use: what stands at an edge of the window, and the form, the
// confirmation or the control that has the focus.

/** What stands at the foot or at the top of the window, and what says whether files arrived. */
const standing = '.bulk, .refusals, .stale, .alarm-on .alarm-line, .site-header, .bottom-bar, .sent-files';

/** What a toast of a form speaks of. */
const regions = 'form, .banner';

/** What a page says at its head: the toast of a confirmation does not speak of it. */
const introduction = '.page-head :is(h1, p)';

/** Pixels between a toast and what it is kept off. */
const gap = 8;

export type Span = { top: number; bottom: number };

/**
 * The top of a toast of this height which is near `wanted` and over none of `taken`: above what
 * stands at the foot of the window, or below what stands at its top. Undefined if there is no room.
 */
export function freeTop(wanted: number, height: number, taken: readonly Span[], room: number) {
  const up = wanted + height / 2 > room / 2;
  let top = wanted;
  for (let tries = 0; tries <= taken.length; tries++) {
    const covered = taken.filter((span) => span.top < top + height && span.bottom > top);
    if (covered.length === 0) return top >= 0 && top + height <= room ? top : undefined;
    const edges = covered.map((span) => (up ? span.top - gap - height : span.bottom + gap));
    top = up ? Math.min(...edges) : Math.max(...edges);
  }
  return undefined;
}

/**
 * Places each toast anew while it is shown and the page under it changes; returns a function that
 * stops. With `closes`, a toast goes when the form or the confirmation it speaks of is touched.
 */
export function watchToasts(closes?: boolean): () => void {
  const box = document.querySelector<HTMLElement>('.toasts');
  if (!box) return () => {};
  let frame = 0;
  const again = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      place(box);
    });
  };
  const touched = ({ target }: Event) => {
    if (closes && target instanceof Element && target.closest(regions))
      box.querySelector<HTMLElement>('.toast-close')?.click();
  };
  const page = new MutationObserver(again);
  const events = ['focusin', 'scroll', 'resize'] as const;
  const touches = ['input', 'pointerdown'] as const;
  const stop = () => {
    page.disconnect();
    for (const name of events) removeEventListener(name, again, true);
    for (const name of touches) removeEventListener(name, touched, true);
  };
  const start = () => {
    stop();
    if (!box.querySelector('.toast')) return;
    page.observe(document.body, { childList: true, subtree: true });
    for (const name of events) addEventListener(name, again, { capture: true, passive: true });
    for (const name of touches) addEventListener(name, touched, { capture: true, passive: true });
    place(box);
  };
  const toasts = new MutationObserver(start);
  toasts.observe(box, { childList: true, subtree: true });
  start();
  return () => {
    toasts.disconnect();
    stop();
    cancelAnimationFrame(frame);
    box.style.translate = '';
  };
}

function place(box: HTMLElement) {
  const card = box.querySelector('.toast');
  if (!card) return;
  const detail = card.querySelector<HTMLElement>('.toast-title + p');
  if (detail) detail.hidden = false;
  const shift = Number.parseFloat(box.style.translate.split(' ')[1] ?? '0');
  const { left, right } = card.getBoundingClientRect();
  const spans = (elements: Iterable<Element>): Span[] =>
    [...elements].flatMap((element) => {
      const found = element.getBoundingClientRect();
      return found.left < right && found.right > left ? [found] : [];
    });
  const focus = document.activeElement;
  const used = focus && focus !== document.body && !box.contains(focus) ? focus : undefined;
  const region = used?.closest(regions);
  const within = (what: string) => region?.querySelectorAll(what) ?? [];
  const stands = spans(document.querySelectorAll(standing));
  const free = (taken: Iterable<Element>) => {
    const { top, height } = card.getBoundingClientRect();
    const found = freeTop(top - shift, height, [...stands, ...spans(taken)], innerHeight);
    return found === undefined ? undefined : found - top + shift;
  };
  const own = used && used !== region ? [used.closest('.field') ?? used] : [];
  const whole = [used, region].flatMap((one) => one ?? []);
  /** Beside a confirmation, which says the rest, the title is enough where there is little room. */
  const besideConfirmation = () => {
    if (!region?.matches('.banner')) return undefined;
    const taken = [...whole, ...document.querySelectorAll(introduction)];
    const found = free(taken);
    if (found !== undefined || !detail) return found;
    detail.hidden = true;
    const short = free(taken);
    detail.hidden = short !== undefined;
    return short;
  };
  // What fills the window leaves room between its controls at best, else beside what is wrong.
  const place =
    besideConfirmation() ??
    free(whole) ??
    free([...own, ...within('a, button, input, select, textarea')]) ??
    free([...own, ...within('.field:has([aria-invalid])')]) ??
    free(own);
  box.style.translate = `0 ${place ?? 0}px`;
}
