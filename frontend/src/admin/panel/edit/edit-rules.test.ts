// What the form that corrects a request shows and sends.
import { expect, it } from 'vitest';
import type { RequestItem } from '../../../api/inbox';
import { validate } from '../../../forms/rules';
import { editOf, editRules, messagesOf, valuesOf } from '../edit-form';

const request = {
  kind: 'quote',
  first_name: 'Ana',
  last_name: 'Lee',
  email: '',
  phone: '713 555 0123',
  company: null,
  service: 'fire-watch',
  location: 'Katy, TX 77449',
  start_date: '2020-01-01',
  duration: '1-week',
} as RequestItem;

it('sends the fields that were changed, with the values that were seen', () => {
  const seen = valuesOf(request);
  const typed = { ...seen, email: ' ana@site.example ', serviceType: 'concierge' };
  const { values } = validate(editRules.quote, typed);
  expect(editOf(seen, values, new Set())).toEqual({
    from: { email: '', service: 'fire-watch' },
    to: { email: 'ana@site.example', service: 'concierge' },
  });
  expect(editOf(seen, values, new Set(['email'])).from).toEqual({ service: 'fire-watch' });
  expect(editOf(seen, seen, new Set())).toEqual({ from: {}, to: {} });
});

it('has the fields of the kind of request, and takes what the desk may leave empty', () => {
  expect(Object.keys(valuesOf({ ...request, kind: 'message' }))).toEqual([
    'firstName',
    'lastName',
    'phone',
    'email',
    'company',
    'service',
  ]);
  const { errors } = validate(editRules.quote, { firstName: 'Ana', serviceType: 'other' });
  expect(errors).toEqual({});
});

it('keeps a value that visitors cannot choose', () => {
  const service = editRules.message.fields.find(({ field }) => field === 'service');
  expect(service?.options).toContainEqual({ value: 'careers', label: 'Careers' });
});

it('shows the messages of the server at their fields', () => {
  expect(messagesOf(editRules.quote, { service: 'Choose one', status: 'no' })).toEqual({
    serviceType: 'Choose one',
  });
});
