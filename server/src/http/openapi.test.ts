import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { registerDescription } from './openapi.ts';

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
});
