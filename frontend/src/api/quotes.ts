// The statuses of a request, and the clicks on phone links.
import { callApi } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Status = Schemas['Status'];
export type CallClicks = Schemas['CallClicks'];

/** In the order of a quote's lifecycle. */
export const statuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const satisfies Status[];

/** Clicks on the phone links by page in the last thirty days, highest first. */
export const listCallClicks = (token: string) => callApi<CallClicks>('/api/admin/taps', { token });
