// @vitest-environment happy-dom
// The rendered forms: the suggestion below an email address, the draft of the contact form, and the
// confirmation of the careers form.
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ContactForm } from './contact-form';

let close = () => {};

async function open(props: Partial<Parameters<typeof ContactForm>[0]> = {}) {
  close();
  history.replaceState(null, '', props.action ?? '/contact');
  document.body.innerHTML = '<div id="app"></div>';
  const root = createRoot(document.getElementById('app') as HTMLElement);
  await act(() => root.render(createElement(ContactForm, { search: '', ...props })));
  close = () => root.unmount();
}

const careers = { action: '/careers', service: 'careers' };

const control = (name: string) => document.querySelector(`[name="${name}"]`) as HTMLInputElement;

const fire = (target: EventTarget, type: string) =>
  act(() => void target.dispatchEvent(new Event(type, { bubbles: true })));

async function type(name: string, text: string) {
  control(name).value = text;
  await fire(control(name), 'input');
}

/** Leaves a field as a browser does: both events. */
async function leave(name: string) {
  await fire(control(name), 'blur');
  await fire(control(name), 'focusout');
}

const suggestion = () => document.querySelector('.field-fix button')?.textContent;

/** Time for the code of the suggestion, and for what waits for the end of a press. */
async function settle() {
  for (let turn = 0; turn < 5; turn += 1) await act(() => new Promise((done) => setTimeout(done)));
}

beforeEach(async () => {
  sessionStorage.clear();
  localStorage.clear();
  await import('./suggest-fix');
});

afterEach(() => {
  close();
  vi.unstubAllGlobals();
});

it('takes the suggestion for an address away as soon as the address is edited', async () => {
  await open();
  await type('email', 'ana@gmial.com');
  await leave('email');
  await vi.waitFor(() => expect(suggestion()).toBe('Use ana@gmail.com'));
  await type('email', 'ana@gmail.com');
  await settle();
  expect(suggestion()).toBeUndefined();
});

it('takes the suggestion away once it was used', async () => {
  await open();
  await type('email', 'ana@gmial.com');
  await leave('email');
  await vi.waitFor(() => expect(suggestion()).toBe('Use ana@gmail.com'));
  await fire(document.querySelector('.field-fix button') as Element, 'click');
  await settle();
  expect(control('email').value).toBe('ana@gmail.com');
  expect(suggestion()).toBeUndefined();
});

it('moves nothing below an address while a pointer is pressed', async () => {
  await open();
  await type('email', 'ana@gmial.com');
  await leave('email');
  await vi.waitFor(() => expect(suggestion()).toBe('Use ana@gmail.com'));
  await fire(control('email'), 'focus');
  await fire(control('phone'), 'pointerdown');
  await leave('email');
  await settle();
  const whilePressed = suggestion();
  await fire(control('phone'), 'pointerup');
  await settle();
  expect(whilePressed).toBe('Use ana@gmail.com');
  expect(suggestion()).toBe('Use ana@gmail.com');
});

it('keeps the draft of the contact form while the careers form is filled in', async () => {
  await open();
  await type('service', 'event');
  await open(careers);
  await type('details', 'I live in Katy');
  await open();
  expect(control('service').value).toBe('event');
});

it('confirms on the page that the form was sent from', async () => {
  const receipt = { reference: 'GP-2K7Q', status_page: '/case/gp-2k7q-abc' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(receipt), { status: 201 }));
  await open(careers);
  for (const [name, text] of [
    ['firstName', 'Ana'],
    ['lastName', 'Lopez'],
    ['email', 'ana@mail.example'],
    ['phone', '7135550142'],
    ['details', 'I live in Katy and can work nights.'],
  ] as const)
    await type(name, text);
  await fire(document.querySelector('form.form') as Element, 'submit');
  await vi.waitFor(() => expect(document.querySelector('.banner')).not.toBeNull());
  await settle();
  expect(document.querySelector('.banner form')?.getAttribute('action')).toBe('/careers');
  expect(location.pathname + location.search).toBe('/careers?sent=1&reference=gp-2k7q-abc');
});
