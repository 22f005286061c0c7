// @vitest-environment happy-dom
// Tests of the throttle, the idempotency key, suggested fixes, the input filter and the fallback
// email.
import contact from '@seeds/forms/contact.json';
import quote from '@seeds/forms/quote.json';
import { beforeEach, describe, expect, it } from 'vitest';
import { fallbackEmail } from './contact-form';
import { ruleOf } from './field';
import { findDenied, fixText, suggestFix } from './fixes';
import { discardKey, idempotencyKey } from './idempotency-key';
import { curlApostrophes, filterInput, rewriteValue } from './input-filter';
import { clean, type FormRules, firstError } from './rules';
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
  it('is a UUID that is stable for the same content', () => {
    const key = idempotencyKey('quote', 'a');
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
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
  it.each([
    [`don't use the "north" gate`, 'don’t use the “north” gate'],
    ['gate; then dock -- now', 'gate then dock now'],
    ['/* note */ hello', 'note hello'],
    ['(xp_dirtree', '(dirtree'],
    ['run sp_who', 'run who'],
    ['<script src=x', 'src=x'],
    [`'quoted' text`, '‘quoted’ text'],
    [`-${'-'.repeat(3)}`, ''],
  ])('turns %s into %s, which the rule accepts', (typed, fixed) => {
    expect(fixText(typed)).toBe(fixed);
    expect(firstError(description, clean(description, fixed))).toBeUndefined();
  });

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
    expect(suggestFix(ruleOf(quote as FormRules, 'company'), typed)).toEqual({ value: fixed });
    expect(suggestFix(ruleOf(contact as FormRules, 'company'), typed)).toEqual({ value: fixed });
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

  it('is not offered for what cannot be fixed', () => {
    expect(suggestFix(description, 'a'.repeat(2001))).toBeUndefined();
    expect(suggestFix(ruleOf(quote as FormRules, 'company'), '!!!')).toBeUndefined();
    expect(suggestFix(ruleOf(quote as FormRules, 'phone'), 'call me ext. 12')).toBeUndefined();
    expect(suggestFix(ruleOf(quote as FormRules, 'firstName'), 'Agent 47')).toBeUndefined();
  });
});

describe('the input filter', () => {
  it('curls apostrophes only between letters', () => {
    expect(curlApostrophes(`don't 'quote' O'Brien`)).toBe(`don’t 'quote' O’Brien`);
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
