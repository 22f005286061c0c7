// The state of the system.
import { callApi } from './admin-client';
import type { components } from './schema';

export type System = components['schemas']['System'];

export type UndeliveredEmail = components['schemas']['UndeliveredEmail'];

/** Emails that could not be delivered. */
export const listUndelivered = (token: string) =>
  callApi<{ emails: UndeliveredEmail[] }>('/api/admin/emails', { token });

export const readSystem = (token: string) => callApi<System>('/api/admin/system', { token });
