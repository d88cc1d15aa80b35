import { expect, it } from 'vitest';
import { NotSent, toCallEnd } from './call-end.ts';
import { StripeFailure } from './stripe/failure.ts';

const failure = (status: number | null, code: string | null = null, type = 'StripeAPIError') =>
  new StripeFailure({ type, code, status, declineCode: null, requestId: null, param: null });

it.each([
  [failure(402, 'card_declined'), 'answered'],
  [failure(400, 'parameter_invalid'), 'answered'],
  [failure(404), 'answered'],
  [failure(401), 'locked_out'],
  [failure(403), 'locked_out'],
  [failure(429, 'rate_limit'), 'unanswered'],
  [failure(503), 'unanswered'],
  [failure(null), 'unanswered'],
  [new Error('the processor took too long'), 'unanswered'],
  ['a text', 'unanswered'],
  [new NotSent('it was too late to send'), null],
])('P52 %s says that a call was %s', (error, end) => {
  expect(toCallEnd(error)).toBe(end);
});
