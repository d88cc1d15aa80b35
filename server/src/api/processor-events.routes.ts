/** What processors have told of a connection, and what of it could not be read. */
import { Refusal } from '../domain/errors.ts';
import { retryEvent } from '../flows/processors/retry-event.ts';
import { type Route, read, write } from '../http/route.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';
import {
  countProcessorEvents,
  findProcessorEvent,
  listProcessorEvents,
} from '../resources/processors/processor-events.queries.ts';
import {
  ListProcessorEvents,
  ProcessorEventData,
  ProcessorEventParams,
  ProcessorEventsData,
  toProcessorEvent,
} from '../resources/processors/processor-events.schema.ts';
import { findProcessor } from '../resources/processors/processors.queries.ts';
import { ProcessorParams } from '../resources/processors/processors.schema.ts';

const list = read({
  method: 'GET',
  path: '/v0/processors/:processorId/events/list',
  operationId: 'listProcessorEvents',
  tag: 'processors',
  needsSecret: true,
  summary: 'List what a processor has told, newest first',
  description: 'What is done is kept for 30 days, what is parked for good.',
  params: ProcessorParams,
  query: ListProcessorEvents,
  data: ProcessorEventsData,
  errors: ['not_found'],
  handler: async ({ db, scope, params: { processorId: connectionId }, query }) => {
    if (!(await findProcessor(db, scope, connectionId))) throw new Refusal('not_found');
    const page = toPage(query);
    const filter = { connectionId, statuses: toStatuses(query) };
    const rows = await listProcessorEvents(db, scope, { filter, page });
    const shown = cutPage(rows, page, (row) => ({ value: row.receivedAt, id: row.id }));
    const asked = { page, shown, returnCount: query.returnCount };
    const count = await countMatches(asked, (limit) => countProcessorEvents(db, scope, { filter, limit }));
    return { processorEvents: shown.rows.map(toProcessorEvent), count, ...shown.page };
  },
});

const retry = write({
  method: 'POST',
  path: '/v0/processors/:processorId/events/:processorEventId/retry',
  operationId: 'retryProcessorEvent',
  tag: 'processors',
  summary: 'Read once more what a processor has told',
  description: 'Whatever became of it before. Nothing is done twice by it: what it is about is looked at.',
  params: ProcessorEventParams,
  data: ProcessorEventData,
  errors: ['not_found'],
  handler: async ({ ctx, scope, tx, params: { processorId: connectionId, processorEventId: id }, audit }) => {
    const before = await findProcessorEvent(tx, scope, id);
    if (before) audit({ processorEvent: toProcessorEvent(before) }, id);
    return { processorEvent: toProcessorEvent(await retryEvent(ctx, scope, { tx, connectionId, id })) };
  },
});

export const processorEventRoutes: Route[] = [list, retry];
