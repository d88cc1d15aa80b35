/** Listeners: events to a machine that has no public address. */
import { createListener } from '../flows/webhooks/create-listener.ts';
import { handToListener } from '../flows/webhooks/hand-to-listener.ts';
import { reportHeard } from '../flows/webhooks/report-heard.ts';
import { type Route, read, write } from '../http/route.ts';
import {
  CreateListener,
  HeardData,
  ListenerData,
  ListenerParams,
  NextDeliveries,
  ReportData,
  ReportResults,
  toListener,
} from '../resources/listeners/listeners.schema.ts';

/** Fifty answers of receivers as they are kept. */
const REPORT_BYTES_MAX = 4 * 1024 * 1024;

const create = write({
  method: 'POST',
  path: '/v0/listeners/create',
  operationId: 'createListener',
  answersSecret: true,
  tag: 'listeners',
  summary: 'Create a listener: a webhook without an address',
  description:
    'A machine without a public address asks for its deliveries by `next`. At most 5 per workspace and mode; it ends ' +
    '24 hours after the last `next`, and what waits then is dropped.',
  body: CreateListener,
  data: ListenerData,
  errors: ['webhook_secret_invalid', 'listener_limit_reached'],
  example: { name: 'laptop', events: ['payment_success', 'payment_refunded'] },
  handler: async ({ ctx, tx, scope, body }) => ({
    listener: toListener(await createListener(ctx, scope, { tx, input: body })),
  }),
});

const next = read({
  method: 'POST',
  path: '/v0/listeners/:listenerId/next',
  operationId: 'nextDeliveries',
  needsSecret: true,
  isLikeWrite: true,
  tag: 'listeners',
  summary: 'Take what a listener is to hear',
  description:
    'Answers as soon as there is something, or empty after `wait`. What was taken is handed out anew after 60 seconds ' +
    'without a report. Takes no Idempotency-Key.',
  params: ListenerParams,
  body: NextDeliveries,
  data: HeardData,
  errors: ['listener_ended'],
  example: { wait: 25_000, take: 50 },
  handler: async ({ ctx, scope, params: { listenerId }, body, gone, admitAgain }) => ({
    deliveries: await handToListener(ctx, scope, {
      ...{ listenerId, waitMs: body.wait, take: body.take },
      ...{ gone: gone(), admitAgain },
    }),
  }),
});

const report = read({
  method: 'POST',
  path: '/v0/listeners/:listenerId/report',
  operationId: 'reportDeliveries',
  needsSecret: true,
  needsClock: true,
  isLikeWrite: true,
  tag: 'listeners',
  summary: 'Say what became of deliveries that were taken',
  description:
    'Each result is an attempt: a 2xx delivers, all else fails. A delivery that has ended stays as it is, so that a report ' +
    'may be sent again. Takes no Idempotency-Key.',
  params: ListenerParams,
  body: ReportResults,
  bodyLimitBytes: REPORT_BYTES_MAX,
  data: ReportData,
  example: {
    results: [{ id: '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f', statusCode: 200, durationMs: 12 }],
  },
  handler: async ({ ctx, scope, params: { listenerId }, body: { results } }) => ({
    recorded: await reportHeard(ctx, scope, { listenerId, results }),
  }),
});

export const listenerRoutes: Route[] = [create, next, report];
