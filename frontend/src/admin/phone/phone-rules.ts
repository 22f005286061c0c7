// The form of a request by phone.
import phone from '@seeds/forms/phone.json';
import type { FieldValues, FormRules } from '../../forms/rules';
import { bodyOf, byField, deskRules } from '../panel/desk-form';

export const phoneRules: FormRules = deskRules(phone);

export const phoneBody = (values: FieldValues) => bodyOf(phoneRules, values);

export const phoneErrors = (fields: Record<string, string>) => byField(phoneRules, fields);
