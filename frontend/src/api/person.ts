// The stored data of a visitor, found by the address of the requests: numbers, an export, the
// erasure.
import { callApi, download } from './admin-client';
import type { components } from './schema';

export type VisitorData = components['schemas']['VisitorData'];

const base = '/api/admin/person';

export function findPerson(token: string, email: string): Promise<VisitorData> {
  return callApi(`${base}/find`, { method: 'POST', token, body: { email } });
}

/** All data as JSON. */
export function exportPerson(token: string, email: string): Promise<Blob> {
  return download(`${base}/export`, token, { email });
}

/**
 * `confirm` is the address as typed. The search words are removed before the answer, which may take
 * a while.
 */
export function erasePerson(token: string, email: string, confirm: string): Promise<VisitorData> {
  return callApi(`${base}/erase`, { method: 'POST', token, body: { email, confirm }, slow: true });
}
