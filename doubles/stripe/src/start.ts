/** Starts one stand-in for Stripe in this process. */
import { type Double, type Kind, type StartOptions, startKind } from '../../core/start.ts';
import { createApi } from './api/server.ts';
import { CALLS } from './control/calls.ts';
import { POST } from './events/post.ts';
import { DUE_VERBS } from './verbs/due.ts';

export type { Double, StartOptions };

export const STRIPE: Kind = { name: 'Stripe', post: POST, dueVerbs: DUE_VERBS, calls: CALLS, createApi };

export function startDouble(options: StartOptions): Promise<Double> {
  return startKind(STRIPE, options);
}
