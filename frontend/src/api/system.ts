// The state of the system.
import { callApi } from './admin-client';
import type { components } from './schema';

export type System = components['schemas']['System'];

export function readSystem(token: string): Promise<System> {
  return callApi('/api/admin/system', { token });
}
