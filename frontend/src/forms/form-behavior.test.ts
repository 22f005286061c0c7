// @vitest-environment happy-dom
// The rendered forms: the suggestion below an email address, the draft of the contact form, and the
// service that a link to the quote form names.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { close, control, fire, hydrateQuote, leave, open, settle, type } from './testing/form-fixture';

const careers = { action: '/careers', service: 'careers' };

const suggestion = () => document.querySelector('.field-fix button')?.textContent;

beforeEach(async () => {
  sessionStorage.clear();
  localStorage.clear();
  await import('./suggest-fix');
});

afterEach(() => {
  close();
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

it('keeps the service that was chosen before the code of the quote form arrived', async () => {
  await hydrateQuote('?service=fire-watch', () => {
    control('serviceType').value = 'event-security';
  });
  expect(control('serviceType').value).toBe('event-security');
});

it('selects the service that a link of a campaign names, whatever the draft says', async () => {
  await hydrateQuote('', () => {});
  await type('serviceType', 'event-security');
  await hydrateQuote('?service=fire-watch&utm_source=mail', () => {
    control('serviceType').value = '';
  });
  expect(control('serviceType').value).toBe('fire-watch');
});
