// Keeps toasts off what is in use: what stands at an edge of the window, and the form or the
// control that has the focus.
import { useEffect } from 'react';

/** What stands at the foot or at the top of the window while something is done with it. */
const standing = '.bulk, .refusals, .stale, .alarm-on .alarm-line';

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

/** Places each toast anew while it is shown and the page under it changes. */
export function useToastPlace() {
  useEffect(() => {
    const box = document.querySelector<HTMLElement>('.toasts');
    if (!box) return;
    let frame = 0;
    const again = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        place(box);
      });
    };
    const page = new MutationObserver(again);
    const events = ['focusin', 'scroll', 'resize'] as const;
    const stop = () => {
      page.disconnect();
      for (const name of events) removeEventListener(name, again, true);
    };
    const toasts = new MutationObserver(() => {
      stop();
      if (!box.querySelector('.toast')) return;
      page.observe(document.body, { childList: true, subtree: true });
      for (const name of events) addEventListener(name, again, { capture: true, passive: true });
      place(box);
    });
    toasts.observe(box, { childList: true, subtree: true });
    return () => {
      toasts.disconnect();
      stop();
      cancelAnimationFrame(frame);
      box.style.translate = '';
    };
  }, []);
}

function place(box: HTMLElement) {
  const card = box.querySelector('.toast');
  if (!card) return;
  const shift = Number.parseFloat(box.style.translate.split(' ')[1] ?? '0');
  const { top, left, right, height } = card.getBoundingClientRect();
  const beside = (element: Element): Span[] => {
    const found = element.getBoundingClientRect();
    return found.left < right && found.right > left ? [found] : [];
  };
  const stands = [...document.querySelectorAll(standing)].flatMap(beside);
  const focus = [document.activeElement].flatMap((at) => (at && at !== document.body ? [at] : []));
  const used = focus.filter((element) => !box.contains(element));
  const forms = used.flatMap((element) => element.closest('form') ?? []);
  const controls = forms.flatMap((form) => [...form.elements]);
  const wanted = top - shift;
  const free = (others: Element[]) =>
    freeTop(wanted, height, [...stands, ...[...used, ...others].flatMap(beside)], innerHeight);
  // A form that fills the window leaves room between its controls at best.
  box.style.translate = `0 ${(free(forms) ?? free(controls) ?? wanted) - wanted}px`;
}
