// The rules of a request by phone: those of the quote form, except that no email address is needed.
import { expect, it } from 'vitest';
import { validate } from '../../forms/rules';
import { phoneBody, phoneErrors, phoneRules } from './use-phone-form';

const typed = {
  firstName: 'Ana',
  lastName: 'Lee',
  email: '',
  phone: '713 555 0123',
  serviceType: 'fire-watch',
  location: 'Katy, TX 77449',
  startDate: '2026-12-01',
  duration: '1-week',
  emergencyContact: 'on',
};

it('needs no email address and no place, and checks what is given', () => {
  expect(validate(phoneRules, typed, '2026-11-24').errors).toEqual({});
  const errors = validate(
    phoneRules,
    { ...typed, email: 'ana', location: '', phone: '' },
    '2026-11-24',
  ).errors;
  expect(Object.keys(errors)).toEqual(['email', 'phone']);
});

it('takes what visitors may not write, and refuses what cleaning would lose', () => {
  const errorsOf = (description: string) =>
    validate(phoneRules, { ...typed, lastName: '', description }, '2026-11-24').errors;
  expect(errorsOf('Gate 4; ask for "Al" -- he\'s there')).toEqual({});
  expect(Object.keys(errorsOf('between <gate A> and the dock'))).toEqual(['description']);
});

it('is sent with the names of the API, and its messages return to the fields', () => {
  const { values } = validate(phoneRules, typed, '2026-11-24');
  expect(phoneBody(values)).toMatchObject({ first_name: 'Ana', email: '', emergency_contact: true });
  expect(phoneBody(values)).not.toHaveProperty('motto');
  expect(phoneErrors({ first_name: 'Too short', other: 'x' })).toEqual({ firstName: 'Too short' });
});
