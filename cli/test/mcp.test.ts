import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client as ClientOf2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOf2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOf1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOf1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES, type Keys, makeKeys, openOrigin } from '../../server/test/support/assistant.ts';
import { createTestApp, type TestApp } from '../../server/test/support/harness.ts';
import { toEnv } from './terminal.ts';

const RUN = fileURLToPath(new URL('carry-stdio.ts', import.meta.url));
const TYPESCRIPT = fileURLToPath(new URL('../../scripts/typescript.mjs', import.meta.url));
const PATIENCE_MS = 120_000;

let t: TestApp;
let origin: string;
let keys: Keys;
beforeAll(async () => {
  t = await createTestApp();
  origin = await openOrigin(t);
  keys = await makeKeys(t, t.test, ['mcp:write', ...ALL_SCOPES]);
});
afterAll(() => t.close());

const toCommand = (...flags: string[]) => ({
  command: process.execPath,
  args: ['--import', TYPESCRIPT, RUN, ...flags],
  env: { ...(process.env as Record<string, string>), ...toEnv(origin, keys) },
});

async function connect(kind: 'modern' | '2' | '1', ...flags: string[]) {
  const limits = { timeout: PATIENCE_MS };
  if (kind === '1') {
    const client = new ClientOf1({ name: 'Assistant of 1', version: '1.0.0' });
    await client.connect(new StdioOf1(toCommand(...flags)) as never, limits);
    return client;
  }
  const probe = { timeoutMs: PATIENCE_MS };
  const client = new ClientOf2(
    { name: 'Assistant of 2', version: '1.0.0' },
    kind === 'modern' ? { versionNegotiation: { mode: 'auto', probe } } : {},
  );
  await client.connect(new StdioOf2(toCommand(...flags)), limits);
  return client;
}

describe('counterfoil mcp', () => {
  it('X26 carries clients of SDK 2 and 1 over stdio, and hides what writes unless it is allowed', async () => {
    for (const [kind, flags, count] of [
      ['modern', ['--allow-writes'], 19],
      ['2', [], 11],
      ['1', ['--allow-writes'], 19],
    ] as const) {
      const client = await connect(kind, ...flags);
      const { tools } = await client.listTools();
      expect([kind, tools.length]).toEqual([kind, count]);
      const told = await client.callTool({ name: 'list_catalogue', arguments: {} });
      expect(told).toMatchObject({ structuredContent: { products: [], offers: [], truncated: false } });
      const nowhere = client.readResource({ uri: 'docs://guides/nowhere' });
      // What the protocol calls it: of that revision a code of its own, later the code of wrong parameters.
      await expect(nowhere).rejects.toMatchObject({ code: expect.toBeOneOf([-32002, -32602]) });
      const hidden = client.callTool({
        name: 'create_discount',
        arguments: { code: `C${kind}`, amount: 5, amountType: 'percentage' },
      });
      if (flags.length === 0) await expect(hidden).rejects.toThrow(/create_discount/);
      else expect(await hidden).toMatchObject({ structuredContent: { code: `C${kind}` } });
      const { contents } = await client.readResource({ uri: 'docs://errors/sold_out' });
      expect(JSON.stringify(contents)).toContain('# sold_out');
      await client.close();
    }
    const rows = await t.service.db.selectFrom('auditLog').select('client').execute();
    expect(rows.map(({ client }) => client).sort()).toEqual(['Assistant of 1', 'Assistant of 2']);
  });

  it('X26 answers each line that is no message, so that a client which sends them waits for nothing', async () => {
    const { command, args, env } = toCommand();
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = [
      ...['{"jsonrpc":"2.0","id":1,"meth', 'not JSON'],
      ...['[]', '[{"jsonrpc":"2.0","id":2,"method":"ping"}]', '42', 'null', '"ping"', '{}'],
      '{"jsonrpc":"2.0","id":3}',
      ...['{"jsonrpc":"2.0","id":4,"method":"no/such"}', '{"jsonrpc":"2.0","method":"no/such"}'],
      '{"jsonrpc":"2.0","id":5,"method":"ping"}',
      '{"jsonrpc":"2.0","id":6,"method":"ping","method":"ping"}',
    ];
    child.stdin.end(lines.join('\n'));
    const told = (await text(child.stdout))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } })
      .map(({ id, error }) => [id, error?.code ?? 'answered']);
    const count = (id: unknown, code: unknown) =>
      told.filter(([one, of]) => one === id && of === code).length;
    expect(told).toHaveLength(lines.length - 1);
    expect([count(null, -32700), count(null, -32600), count(3, -32600)]).toEqual([2, 6, 1]);
    expect([count(4, -32601), count(5, 'answered'), count(6, -32600)]).toEqual([1, 1, 1]);
  });
});
