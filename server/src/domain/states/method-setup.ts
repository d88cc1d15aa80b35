import type { Machine } from './machine.ts';

export type MethodSetupStatus = 'pending' | 'succeeded' | 'failed';

/** A method that is taken for 0. As with a charge: a time-out is never a failure. */
export const METHOD_SETUP: Machine<MethodSetupStatus> = {
  name: 'method setup',
  initial: ['pending'],
  moves: { pending: ['succeeded', 'failed'], succeeded: [], failed: [] },
};
