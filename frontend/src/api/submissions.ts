// The two calls a visitor makes: a contact message and a quote request.
import { attribution } from '../attribution';
import { callPublicApi } from './public-client';

/** The server's answer; `uploads` is where files go, if the fields ask for it. */
export type Receipt = {
  reference: string;
  /** The path of the request's status page. */
  status_page: string;
  uploads?: { url: string; token: string } | null;
};

/** Posts a form's fields to `path`. The server stores the same key and content once. */
export function submit(path: string, fields: object, key: string): Promise<Receipt> {
  return callPublicApi('POST', path, { ...fields, attribution: attribution() }, { 'idempotency-key': key });
}
