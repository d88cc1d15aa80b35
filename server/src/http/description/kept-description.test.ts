import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { partExamples } from './examples.ts';

const PUBLIC_URL = 'https://pay.shop.example';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ PUBLIC_URL });
});
afterAll(() => t.close());

const read = async (url: string) => (await t.app.inject({ url })).json() as unknown;

it('what is served is what the routes say, at the address of this service', async () => {
  const made = t.app.swagger();
  const { description, examples } = partExamples(made);
  expect(await read('/openapi.json')).toEqual(description);
  expect(await read('/openapi-examples.json')).toEqual(JSON.parse(JSON.stringify(examples)));
  expect(await read('/docs/openapi.json')).toEqual(JSON.parse(JSON.stringify(made)));
});

it('nobody who looks into it has it made anew, which takes seconds', async () => {
  const made = vi.spyOn(t.app, 'swagger');
  for (const url of ['/openapi.json', '/openapi-examples.json', '/docs/openapi.json', '/docs/reference.md'])
    expect([url, (await t.app.inject({ url })).statusCode]).toEqual([url, 200]);
  expect((await t.app.inject({ url: '/llms.txt' })).body).toContain(`(${PUBLIC_URL}/docs/guides/`);
  expect(made).not.toHaveBeenCalled();
});
