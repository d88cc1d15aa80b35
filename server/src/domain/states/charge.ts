import type { Machine } from './machine.ts';

export type ChargeStatus = 'pending' | 'succeeded' | 'failed';

/** A charge whose outcome is unknown stays pending: a time-out is never a failure. */
export const CHARGE: Machine<ChargeStatus> = {
  name: 'charge',
  initial: ['pending'],
  moves: { pending: ['succeeded', 'failed'], succeeded: [], failed: [] },
};
