/** Starts one stand-in for PayPal in this process. */
import { type Double, type Kind, type StartOptions, startKind } from '../../core/start.ts';
import { createApi } from './api/server.ts';
import { CALLS } from './control/calls.ts';
import { POST } from './events/post.ts';

export type { Double, StartOptions };

/** Nothing happens by itself: banks and buyers are the control port's. */
export const PAYPAL: Kind = { name: 'PayPal', post: POST, dueVerbs: {}, calls: CALLS, createApi };

export function startDouble(options: StartOptions): Promise<Double> {
  return startKind(PAYPAL, options);
}
