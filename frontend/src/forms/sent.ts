import type { Receipt } from '../api/submissions';
import type { FieldValues } from './rules';

/**
 * The accepted form: the name of the outcome in the banner; the receipt, if this page has sent it,
 * and the values. `plain`: the code of the banner could not be loaded.
 */
export type Sent = { name: string; values?: FieldValues; plain?: boolean } & Partial<Receipt>;
