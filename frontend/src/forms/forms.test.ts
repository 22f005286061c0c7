// @vitest-environment happy-dom
// Tests of the throttle, the idempotency key, suggested fixes, the input filter and the fallback
// email.
import contact from '@seeds/forms/contact.json';
import fixCases from '@seeds/forms/fixes.json';
import quote from '@seeds/forms/quote.json';
import { beforeEach, describe, expect, it } from 'vitest';
import { fallbackEmail } from './contact-form';
import { ruleOf } from './field';
import { findDenied, suggestFix } from './fixes';
import { discardKey, idempotencyKey } from './idempotency-key';
import { curlQuotes, filterInput, rewriteValue } from './input-filter';
import { type FormRules, firstError } from './rules';
import { canSubmit, recordSubmission } from './throttle';

const description = ruleOf(quote as FormRules, 'description');

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

describe('the throttle', () => {
  it('allows three submissions in 300000 ms and the fourth after that', () => {
    for (const at of [0, 1000, 2000]) {
      expect(canSubmit('quote', at)).toBe(true);
      recordSubmission('quote', at);
    }
    expect(canSubmit('quote', 299_999)).toBe(false);
    expect(canSubmit('quote', 300_000)).toBe(true);
  });

  it('counts each form separately', () => {
    for (const at of [1, 2, 3]) recordSubmission('contact', at);
    expect(canSubmit('contact', 4)).toBe(false);
    expect(canSubmit('quote', 4)).toBe(true);
  });

  it('ignores invalid stored values', () => {
    localStorage.setItem('guardpost.sent.quote', '"nonsense"');
    expect(canSubmit('quote')).toBe(true);
  });
});

describe('the idempotency key', () => {
  it('is a token of 8 to 64 characters that is stable for the same content', () => {
    const key = idempotencyKey('quote', 'a');
    expect(key).toMatch(/^[\w-]{8,64}$/);
    expect(idempotencyKey('quote', 'a')).toBe(key);
  });

  it('changes with the content, and after the content is accepted', () => {
    const key = idempotencyKey('quote', 'a');
    expect(idempotencyKey('quote', 'b')).not.toBe(key);
    const again = idempotencyKey('quote', 'a');
    discardKey('quote');
    expect(idempotencyKey('quote', 'a')).not.toBe(again);
  });

  it('stores none of the content', () => {
    idempotencyKey('quote', 'dana@example.com');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('dana');
  });
});

describe('the suggested fix', () => {
  it.each(fixCases)('turns the $field $text into what the rule accepts, as the server does', (one) => {
    const rule = ruleOf(quote as FormRules, one.field);
    expect(suggestFix(rule, one.text)?.value ?? '').toBe(one.value);
  });

  it.each([
    ['ana@gmial.com', 'ana@gmail.com'],
    ['ana@gmail.con', 'ana@gmail.com'],
    ['ana@hotmial.com', 'ana@hotmail.com'],
    ['ana@lofts.con', 'ana@lofts.com'],
  ])('asks whether %s was meant as %s', (typed, meant) => {
    expect(suggestFix(ruleOf(quote as FormRules, 'email'), typed)).toEqual({ value: meant });
  });

  it.each(['ana@gmail.com', 'ana@gmal.example', 'ana@mail.com', 'ana'])(
    'has no question about %s',
    (typed) => {
      expect(suggestFix(ruleOf(quote as FormRules, 'email'), typed)).toBeUndefined();
    },
  );

  it('lists each denied token once', () => {
    expect(findDenied(`a;b;'c' -- d`)).toEqual([';', "'", '--']);
  });

  it.each([
    ['Acme, Inc.', 'Acme Inc.'],
    ['Acme,Inc.', 'Acme Inc.'],
    ['Acme/West', 'Acme-West'],
    ['Acme (West) LLC', 'Acme West LLC'],
    ['Store #4', 'Store No. 4'],
    ['Ram+Wolf', 'Ram & Wolf'],
    ['A+ Security', 'A Plus Security'],
    ['Lofts @ Main', 'Lofts at Main'],
    ['Acme "West"', 'Acme West'],
    ['Yahoo!', 'Yahoo'],
    ['O`Brien – Söhne', 'O’Brien - Söhne'],
    ['Wells Fargo; Bank*', 'Wells Fargo Bank'],
  ])('turns the company %s into %s in both forms', (typed, fixed) => {
    for (const form of [quote, contact])
      expect(suggestFix(ruleOf(form as FormRules, 'company'), typed)).toMatchObject({ value: fixed });
  });

  it.each([
    ['(713) 555-0142 ext. 12', '(713) 555-0142', true],
    ['713.555.0142 x12', '713.555.0142', true],
    ['713-555-0142#12', '713-555-0142', true],
    ['(713) 555-0142 (ext 12)', '(713) 555-0142', true],
    ['+1 713 555 0142, ask for Dana', '+1 713 555 0142', true],
    ['713-555-0142 or 713-555-0199', '713-555-0142', true],
    ['713/555/0142', '713-555-0142', false],
    ['Tel. 713 555 0142', '713 555 0142', false],
  ])('turns the phone %s into %s in both forms', (typed, value, moved) => {
    for (const form of [quote, contact]) {
      const rule = ruleOf(form as FormRules, 'phone');
      const fix = suggestFix(rule, typed);
      if (firstError(rule, typed)) expect(fix).toEqual({ value, ...(moved ? { moved: typed } : {}) });
    }
  });

  it('shortens a phone number that is too long for the form', () => {
    const rule = ruleOf(contact as FormRules, 'phone');
    expect(suggestFix(rule, '001 (713) 555 - 0142 - ')).toEqual({ value: '0017135550142' });
  });

  it('keeps the spelling of a company in the message', () => {
    const fix = suggestFix(ruleOf(quote as FormRules, 'company'), 'Silver State Builders, Inc.');
    expect(fix).toEqual({ value: 'Silver State Builders Inc.', moved: 'Silver State Builders, Inc.' });
  });

  it.each([
    ['lastName', 'Smith, Jr.', 'Smith Jr.'],
    ['lastName', 'O`Brien', 'O’Brien'],
    ['lastName', '‘Aumua', '’Aumua'],
    ['firstName', 'Robert “Bob”', 'Robert Bob'],
    ['phone', '1-800-FLOWERS', '1-800-356-9377'],
    ['phone', '(713) GUARD-99', '713-482-7399'],
    ['phone', '+1 888 555 HELP', '1-888-555-4357'],
  ])('rewrites %s %s', (name, typed, value) => {
    for (const form of [quote, contact] as FormRules[])
      expect(suggestFix(ruleOf(form, name), typed)).toEqual({ value });
  });

  it('does not take the words after a number for digits', () => {
    expect(suggestFix(ruleOf(quote as FormRules, 'phone'), '555-0142 home')?.value).toBeUndefined();
  });

  it('is not offered for what cannot be fixed', () => {
    expect(suggestFix(description, 'a'.repeat(2001))).toBeUndefined();
    expect(suggestFix(ruleOf(quote as FormRules, 'company'), '!!!')).toBeUndefined();
    expect(suggestFix(ruleOf(quote as FormRules, 'phone'), 'call me ext. 12')).toBeUndefined();
    expect(suggestFix(ruleOf(quote as FormRules, 'firstName'), 'Agent 47')).toBeUndefined();
  });
});

describe('the input filter', () => {
  it('makes quotes and apostrophes typographic', () => {
    expect(curlQuotes(`don't 'quote' "north" 5'10"`)).toBe('don’t ‘quote’ “north” 5’10”');
  });

  it('keeps words in angle brackets that are no markup', () => {
    expect(filterInput('a guard <ASAP> <b>now</b>', { stripHtml: true })).toBe('a guard ASAP now');
  });

  it('strips tags in the contact form', () => {
    expect(filterInput('a <b onclick="x">bold</b> word', { stripHtml: true })).toBe('a bold word');
  });

  it('keeps the caret behind the same character', () => {
    const box = document.createElement('textarea');
    box.value = 'I <b>don';
    box.setSelectionRange(5, 5);
    rewriteValue(box, (text) => filterInput(text, { stripHtml: true }));
    expect([box.value, box.selectionStart]).toEqual(['I don', 2]);
  });
});

it('includes every field in the fallback email and names the service in its subject', () => {
  const values = {
    firstName: 'Dana',
    lastName: 'Whitfield',
    email: 'd@example.com',
    phone: '7135550142',
    company: '',
    service: 'event',
    details: 'A & B',
  };
  const draft = decodeURIComponent(fallbackEmail(values));
  for (const part of [
    'subject=Contact Form - event',
    'Dana Whitfield',
    'd@example.com',
    '7135550142',
    'Not given',
    'Event Security',
    'A & B',
  ]) {
    expect(draft).toContain(part);
  }
  expect(decodeURIComponent(fallbackEmail({ ...values, service: '' }))).toContain(
    'Contact Form - General Inquiry',
  );
});
