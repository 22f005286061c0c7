// @vitest-environment happy-dom
// The forms of the prerendered documents are what the server expects. Run after `npm run build`.

import { readFileSync } from 'node:fs';
import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import { describe, expect, it } from 'vitest';
import { count, document } from './prerendered';

/** The fields that people fill in: all but the trap. */
const visible = ({ fields }: { fields: { field: string; label: string }[] }) =>
  fields.filter(({ label }) => label).map(({ field }) => field);

describe.each([
  ['/quote', quote],
  ['/contact', contact],
  ['/careers', contact],
] as const)('the form on %s', (path, rules) => {
  const form = document(path).querySelector(`form[action="${path}"]`) as HTMLFormElement;

  it('posts to its own page and begins with the place for the alert', () => {
    expect(form.getAttribute('method')).toBe('post');
    expect(form.firstElementChild?.matches('.form-alert[role="alert"][hidden]')).toBe(true);
  });

  it('names its fields as the rules do, each with a label and the place for its message', () => {
    const names = [...form.querySelectorAll('[name]')].map((field) => field.getAttribute('name'));
    const files = path === '/quote' ? ['attachments'] : [];
    // An applicant has no company.
    const asked = visible(rules).filter((field) => field !== 'company' || path !== '/careers');
    expect([...names].sort()).toEqual([...asked, ...files].sort());
    for (const field of asked) {
      const box = form.querySelector(`[name="${field}"]`);
      // The careers page sends its subject by itself.
      if (box?.getAttribute('type') === 'hidden') continue;
      expect(form.querySelector(`label[for="${box?.id}"]`)).not.toBeNull();
      expect(form.querySelector(`p.field-error[id="${field}-error"][hidden]`)).not.toBeNull();
    }
  });

  it('lists the services of the specification, and no other', () => {
    const values = [...form.querySelectorAll('select[name="service"] option')].map((one) =>
      one.getAttribute('value'),
    );
    const seven = ['', 'fire-watch', 'security-guards', 'commercial', 'surveillance', 'emergency', 'event'];
    expect(values).toEqual(path === '/contact' ? [...seven, 'other'] : []);
  });

  it('posts files as files', () => {
    const inputs = [...form.querySelectorAll('input[type="file"]')] as HTMLInputElement[];
    expect(inputs.length).toBe(path === '/quote' ? 1 : 0);
    for (const input of inputs) {
      expect(form.getAttribute('enctype')).toBe('multipart/form-data');
      expect([input.multiple, input.hasAttribute('capture')]).toEqual([true, false]);
      expect(input.accept).toBe('image/jpeg,image/png,image/webp,application/pdf');
      expect(form.querySelector(`label[for="${input.id}"]`)).not.toBeNull();
    }
  });

  it('has a trap that no one sees, hears, reaches by keyboard or fills in automatically', () => {
    const trap = document(path).querySelector('[name="motto"]') as HTMLInputElement;
    expect(trap.getAttribute('form')).toBe(form.id);
    expect(trap.closest('#app')).toBeNull();
    expect(trap.closest('[hidden][aria-hidden="true"]')).not.toBeNull();
    expect([trap.tabIndex, trap.autocomplete, trap.value]).toEqual([-1, 'off', '']);
  });

  it('says so when it has been sent', () => {
    expect(document(path, 'sent=1').querySelector('.banner')?.textContent).toContain(
      rules.outcomes.banner.title,
    );
    expect(document(path).querySelector('.banner')).toBeNull();
  });
});

it('chooses the certificate where a link asks for it, and lists it nowhere else', () => {
  const chosen = document('/contact', 'service=certificate').querySelector(
    'select[name="service"] option[selected]',
  );
  expect([chosen?.getAttribute('value'), chosen?.textContent]).toEqual([
    'certificate',
    'Certificate or vendor packet',
  ]);
  for (const path of ['/insurance', '/about', '/states/texas'])
    expect(count(document(path), 'main a[href="/contact?service=certificate"]'), path).toBe(1);
});

it.each([
  ['fire-watch', 'fire-watch'],
  ['security-guards', 'armed-security'],
  ['mobile-patrol', 'mobile-patrol'],
  ['surveillance', 'surveillance'],
  ['concierge', 'concierge'],
])('preselects for ?service=%s the option %s', (service, option) => {
  const chosen = document('/quote', `service=${service}`).querySelector(
    'select[name="serviceType"] option[selected]',
  );
  expect(chosen?.getAttribute('value')).toBe(option);
});

it('sends the fields that the API describes', () => {
  const api = JSON.parse(readFileSync(`${import.meta.dirname}/../../src/tests/golden/openapi.json`, 'utf8'));
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  // `attachments` asks for a grant to upload `files`; they are not fields of the form.
  for (const [schema, rules, more] of [
    ['QuoteRequest', quote, ['attachments', 'attribution', 'files']],
    ['ContactRequest', contact, ['attribution']],
  ] as const) {
    const described = Object.keys(api.components.schemas[schema].properties);
    expect(described.sort()).toEqual([...visible(rules).map(snake), ...more].sort());
  }
});
