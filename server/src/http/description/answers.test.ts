/** What a refusal bears beside its body is described, as what an answer bears is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ RATE_LIMIT_TEST: '50' });
});
afterAll(() => app.close());

const OURS = /^(x-request-id|x-counterfoil-|ratelimit-|retry-after|idempotent-|etag)/;

describe('the headers of a refusal', () => {
  it.each([
    ['of a wrong value', '/v0/products/list?take=x', '/v0/products/list', 400],
    [
      'of an unknown id',
      '/v0/products/01a22f77-b94c-7065-b980-000000000000',
      '/v0/products/{productId}',
      404,
    ],
  ] as const)('%s are all described', async (_which, url, path, status) => {
    const answer = await app.test.get(url);
    expect(answer.status).toBe(status);
    const sent = Object.keys(answer.headers).filter((name) => OURS.test(name));
    expect(sent).toEqual(expect.arrayContaining(['x-counterfoil-version', 'ratelimit-limit']));
    const { paths, components } = (await app.test.get('/openapi.json')).body;
    const name = paths[path].get.responses[status].$ref.split('/').at(-1);
    expect(Object.keys(components.responses[name].headers)).toEqual(expect.arrayContaining(sent));
  });

  it('that may end by itself say when to try again, a state’s too', async () => {
    const { components } = (await app.test.get('/openapi.json')).body;
    const { Refusal409 = components.responses.RefusalLater, Refusal429 } = components.responses;
    for (const one of [Refusal409, Refusal429]) expect(Object.keys(one.headers)).toContain('retry-after');
  });
});
