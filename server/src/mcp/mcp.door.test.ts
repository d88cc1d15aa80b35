import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES, type Keys, makeKeys } from '../../test/support/assistant.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let t: TestApp;
let full: Keys;
beforeAll(async () => {
  t = await createTestApp();
  await t.app.listen({ port: 0, host: '127.0.0.1' });
  full = await makeKeys(t, t.test, ['mcp:write', ...ALL_SCOPES]);
});
afterAll(() => t.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const asFull = () => ({ 'x-svc-public-key': full.publicKey, 'x-svc-secret-key': full.secretKey });

describe('the door', () => {
  it('X31 refuses foreign pages, hosts, methods and long bodies, and whoever brings no keys', async () => {
    expect((await post(PING, asFull())).json()).toMatchObject({ jsonrpc: '2.0', id: 1, result: {} });
    const foreign = await post(PING, { ...asFull(), origin: 'https://evil.example' });
    expect([foreign.statusCode, foreign.json().error.code]).toEqual([403, 'cross_site_request']);
    expect((await post(PING, { origin: 'https://evil.example' })).statusCode).toBe(403);
    expect((await post(PING, { ...asFull(), origin: 'http://localhost:3000' })).statusCode).toBe(200);
    await t.test.patch('/v0/settings/update', { authorizedDomains: ['https://shop.example'] });
    expect((await post(PING, { ...asFull(), origin: 'https://shop.example' })).statusCode).toBe(200);
    expect((await post(PING, { ...asFull(), host: 'evil.example' })).statusCode).toBe(403);
    const long = await post({ ...PING, params: { x: 'x'.repeat(300 * 1024) } }, asFull());
    expect(long.statusCode).toBe(413);
    for (const method of ['GET', 'DELETE'] as const) {
      const refused = await t.app.inject({ method, url: '/mcp', headers: asFull() });
      expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'POST']);
    }
    for (const headers of [
      {},
      { 'x-svc-public-key': full.publicKey },
      { authorization: `Bearer ${full.publicKey}` },
      { authorization: `Bearer ${full.publicKey}.sec_test_wrong` },
    ] as Array<Record<string, string>>) {
      const refused = await post(PING, headers);
      expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
    expect((await post([PING, PING], asFull())).statusCode).toBe(400);
  });

  it('X26 promises no word of changed lists, since each request stands for itself', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const answered = await post({ ...PING, method: 'initialize', params }, asFull());
    const { capabilities } = answered.json().result;
    expect(capabilities).toEqual({ tools: { listChanged: false }, resources: { listChanged: false } });
  });

  it('X26 calls a body that is no message what JSON-RPC calls it', async () => {
    for (const [payload, code] of [
      ['{"jsonrpc":"2.0","id":1,', -32700],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600],
      ['{"__proto__":1,"jsonrpc":"2.0","id":1,"method":"ping"}', -32600],
      [JSON.stringify([PING, PING]), -32600],
      ['null', -32600],
      ['5', -32600],
    ] as const) {
      const headers = { 'content-type': 'application/json', ...asFull() };
      const refused = await t.app.inject({ method: 'POST', url: '/mcp', headers, payload });
      expect(refused.statusCode).toBe(400);
      const error = { code, message: expect.any(String) };
      expect(refused.json()).toEqual({ jsonrpc: '2.0', id: null, error });
    }
  });

  it('X26 names parameters that do not fit their method as the caller’s to mend', async () => {
    const refused = async (method: string, params?: object) =>
      (await post({ ...PING, method, params }, asFull())).json();
    for (const method of ['initialize', 'resources/read', 'tools/call'])
      expect(await refused(method)).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32602 } });
    const { error } = await refused('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    expect(error.message).toContain('params.clientInfo');
  });

  it('Y11 turns a stranger away before it reads what they send', async () => {
    const { port } = t.app.server.address() as AddressInfo;
    const socket = net.connect(port, '127.0.0.1');
    // All but the body, which never comes.
    const head = ['POST /mcp HTTP/1.1', 'host: localhost', 'content-type: application/json'];
    socket.write([...head, `content-length: ${200 * 1024}`, '', '{'].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('before the first call', () => {
  it('X31 nothing of what speaks the protocol is loaded, so that memory is as without it', () => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const follow = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const source = readFileSync(file, 'utf8');
      for (const [, isType, from = ''] of source.matchAll(
        /^(?:import|export)( type)?[^;]*?from '([^']+)';/gms,
      )) {
        if (isType) continue;
        if (from.startsWith('.')) follow(path.resolve(path.dirname(file), from));
        else packages.add(from);
      }
    };
    follow(fileURLToPath(new URL('../main/start.ts', import.meta.url)));
    expect([...seen].some((file) => file.endsWith('mcp/mcp.door.ts'))).toBe(true);
    expect([...seen].filter((file) => /src\/mcp\/(serve|tools|answer)/.test(file))).toEqual([]);
    expect(packages).toContain('fastify');
    expect([...packages].filter((name) => name.startsWith('@modelcontextprotocol'))).toEqual([]);
  });
});
