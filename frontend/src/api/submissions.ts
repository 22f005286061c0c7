// The two calls a visitor makes: a contact message and a quote request.
import { attribution } from '../attribution';
import { callPublicApi } from './public-client';

/** Posts a form's fields to `path`. The server stores the same key and content once. */
export function submit(path: string, fields: object, key: string): Promise<unknown> {
  return callPublicApi('POST', path, { ...fields, attribution: attribution() }, { 'idempotency-key': key });
}
