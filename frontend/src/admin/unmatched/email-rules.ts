// The form of a quote request that is made of an email.
import emailed from '@seeds/forms/emailed.json';
import type { FormRules } from '../../forms/rules';
import { deskRules } from '../panel/desk-form';

export const emailRules: FormRules = deskRules(emailed);
