import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { registerDescription } from './openapi.ts';

const SEARCH = '/docs/guides/search.json';

describe('the reference page', () => {
  it('is served with its script, and knows no other address below it', async () => {
    const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
    await registerDescription(app, 'http://localhost:3000');
    const page = await app.inject('/docs/');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.payload).toContain('/openapi.json');
    const script = await app.inject('/docs/js/scalar.js');
    expect(script.headers['content-type']).toContain('javascript');
    expect((await app.inject('/docs')).headers.location).toBe('/docs/');
    expect((await app.inject('/docs/nothing')).statusCode).toBe(404);
    await app.close();
  });

  it('and all that is read of it is written once, however often it is asked for', async () => {
    const app = Fastify();
    await registerDescription(app, 'http://localhost:3000');
    const written = vi.spyOn(JSON, 'stringify');
    for (const path of ['/openapi.json', '/openapi-examples.json', '/docs/openapi.json', SEARCH]) {
      const first = await app.inject(path);
      expect(first.headers['content-type']).toBe('application/json; charset=utf-8');
      written.mockClear();
      const again = await app.inject(path);
      expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
      expect([path, written.mock.calls.length]).toEqual([path, 0]);
    }
    written.mockRestore();
    await app.close();
  });
});
