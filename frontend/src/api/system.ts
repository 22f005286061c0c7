// The state of the system.
import { callApi } from './admin-client';
import type { components } from './schema';

export type System = components['schemas']['System'];

export type UndeliveredEmail = components['schemas']['UndeliveredEmail'];

/** Emails that could not be delivered. */
export function listUndelivered(token: string): Promise<{ emails: UndeliveredEmail[] }> {
  return callApi('/api/admin/emails', { token });
}

export function readSystem(token: string): Promise<System> {
  return callApi('/api/admin/system', { token });
}
