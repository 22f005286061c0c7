// The stored data of a visitor, found by the address of the requests: numbers, an export, the
// erasure.
import { callApi, download } from './admin-client';
import type { components } from './schema';

export type VisitorData = components['schemas']['VisitorData'];

const base = '/api/admin/person';

export const findPerson = (token: string, email: string) =>
  callApi<VisitorData>(`${base}/find`, { method: 'POST', token, body: { email } });

/** All data as JSON. */
export const exportPerson = (token: string, email: string) => download(`${base}/export`, token, { email });

/**
 * `confirm` is the address as typed. The search words are removed before the answer, which may take
 * a while.
 */
export const erasePerson = (token: string, email: string, confirm: string) =>
  callApi<VisitorData>(`${base}/erase`, { method: 'POST', token, body: { email, confirm }, slow: true });
