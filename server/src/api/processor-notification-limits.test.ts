import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../test/support/harness.ts';
import { makeTelling, openTelling, tell, toEvent } from '../../test/support/telling-processor.ts';
import { type StatementRan, statementRan } from '../domain/trace-points.ts';
import { answerError } from '../http/errors.ts';
import { registerProcessorNotifications } from './processor-notifications.ts';

it('Y11 addresses that are nobody’s are tried 200 times at once, then 40 a second', async () => {
  const t = await createTestApp({ RATE_LIMIT_LIVE: '100', RATE_LIMIT_TEST: '100' });
  onTestFinished(() => t.close());
  let nowMs = 0;
  const app = Fastify();
  onTestFinished(() => app.close());
  app.decorateRequest('arrival', null);
  app.setErrorHandler(answerError);
  registerProcessorNotifications(app, t.service, () => nowMs);
  const guess = async () =>
    (await app.inject({ method: 'POST', url: `/processor-events/${'x'.repeat(66)}`, payload: '{}' }))
      .statusCode;
  const statuses = [];
  for (let count = 0; count < 202; count += 1) statuses.push(await guess());
  expect(statuses.slice(0, 200).every((status) => status === 404)).toBe(true);
  expect(statuses.slice(200)).toEqual([429, 429]);
  nowMs += 25;
  expect([await guess(), await guess()]).toEqual([404, 429]);
});

it('P04 400 that are told at once are all taken, by a few writes', async () => {
  // Of every connection, also of those that are open by now.
  const texts: string[] = [];
  const note = (ran: unknown) => void texts.push((ran as StatementRan).text);
  statementRan.subscribe(note);
  onTestFinished(() => void statementRan.unsubscribe(note));
  const key = { SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') };
  const t = await createTestApp({ ...key, RATE_LIMIT_LIVE: '100', RATE_LIMIT_TEST: '100' });
  onTestFinished(() => t.close());
  makeTelling(t);
  const told = await openTelling(t, t.test);
  const events = Array.from({ length: 400 }, (_, place) =>
    toEvent('payment_intent.succeeded', { id: `pi_${place}` }),
  );
  const statuses = await Promise.all(events.map((event) => tell(t, told, event)));
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  const writes = texts.filter((text) => text.includes('insert into "processor_events')).length;
  expect(writes).toBeGreaterThan(0);
  expect(writes).toBeLessThan(40);
  const kept = await t.service.db.selectFrom('processorEvents').select('id').execute();
  expect(kept).toHaveLength(400);
});
