import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createTestApp } from '../../test/support/harness.ts';
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
