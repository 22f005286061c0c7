import type { OnCallState } from '../../api/on-call';

/** Runs a call that returns the new state, and shows it; its error is returned. */
export type Change = (job: (token: string) => Promise<OnCallState>) => Promise<string>;
