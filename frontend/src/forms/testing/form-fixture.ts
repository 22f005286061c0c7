// A form in a test's document.
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ContactForm } from '../contact-form';
import { QuoteForm } from '../quote-form';

export let close = () => {};

export async function open(props: Partial<Parameters<typeof ContactForm>[0]> = {}) {
  close();
  history.replaceState(null, '', props.action ?? '/contact');
  document.body.innerHTML = '<div id="app"></div>';
  const root = createRoot(document.getElementById('app') as HTMLElement);
  await act(() => root.render(createElement(ContactForm, { search: '', ...props })));
  close = () => root.unmount();
}

/** Hydrates the quote form, in which `choose` has changed values before. */
export async function hydrateQuote(search: string, choose: () => void) {
  close();
  document.body.innerHTML = '<div id="app"></div>';
  const app = document.getElementById('app') as HTMLElement;
  const served = createRoot(app);
  await act(() => served.render(createElement(QuoteForm, { search })));
  const html = app.innerHTML;
  served.unmount();
  app.innerHTML = html;
  choose();
  let root: ReturnType<typeof hydrateRoot> | undefined;
  await act(() => {
    root = hydrateRoot(app, createElement(QuoteForm, { search }));
  });
  close = () => root?.unmount();
}

export const control = (name: string) => document.querySelector(`[name="${name}"]`) as HTMLInputElement;

export const fire = (target: EventTarget, type: string) =>
  act(() => void target.dispatchEvent(new Event(type, { bubbles: true })));

export async function type(name: string, text: string) {
  control(name).value = text;
  await fire(control(name), 'input');
}

/** Leaves a field as a browser does: both events. */
export async function leave(name: string) {
  await fire(control(name), 'blur');
  await fire(control(name), 'focusout');
}

/** Time for the code of the suggestion, and for what waits for the end of a press. */
export async function settle() {
  for (let turn = 0; turn < 5; turn += 1) await act(() => new Promise((done) => setTimeout(done)));
}
