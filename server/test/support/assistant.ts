/** Assistants as the official clients are, of both majors, against the service over HTTP. */
import type { AddressInfo } from 'node:net';
import {
  Client as ClientOf2,
  type ClientOptions,
  StreamableHTTPClientTransport as HttpOf2,
} from '@modelcontextprotocol/client';
import { Client as ClientOf1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOf1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { inTransaction } from '../../src/db/transaction.ts';
import { issueKeyPair } from '../../src/flows/workspaces/issue-key-pair.ts';
import type { TestApp, TestStore } from './harness.ts';

export interface Keys {
  publicKey: string;
  secretKey: string;
}

/** What a call answered: values, or the error that the tool told. */
export interface Told {
  isError: boolean;
  // Tests read answers of every tool; the client has compared them with its schema.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  data: any;
  text: string;
}

export interface Assistant {
  names: string[];
  call(name: string, args?: Record<string, unknown>): Promise<Told>;
  close(): Promise<void>;
}

/** Each scope beside `mcp:write` that a tool of the table could need. */
export const ALL_SCOPES = [
  ...[
    'products',
    'offers',
    'discounts',
    'elements',
    'orders',
    'payments',
    'refunds',
    'subscriptions',
    'users',
  ],
  ...['webhooks', 'events', 'reports', 'tax', 'test-clock', 'settings'],
].flatMap((area) => [`${area}:read`, `${area}:write`]);

export async function makeKeys(t: TestApp, store: TestStore, scopes: string[] | null): Promise<Keys> {
  const terms = { name: 'Assistant', scopes, readRequiresSecret: false, nowMs: t.service.realNowMs() };
  return inTransaction(t.service.db, (tx) => issueKeyPair(tx, store.scope, { ids: t.service.ids, terms }));
}

export async function openOrigin(t: TestApp): Promise<string> {
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const toHeaders = ({ publicKey, secretKey }: Keys) => ({ authorization: `Bearer ${publicKey}.${secretKey}` });

/** A client of SDK 2; `modern` speaks the protocol that knows no sessions, else that of 2025. */
export async function connect2(
  origin: string,
  keys: Keys,
  { isModern = false, confirms }: { isModern?: boolean; confirms?: (message: string) => boolean } = {},
): Promise<Assistant> {
  const options: ClientOptions = {
    ...(isModern ? { versionNegotiation: { mode: 'auto' } } : {}),
    ...(confirms ? { capabilities: { elicitation: { form: {} } } } : {}),
  };
  const client = new ClientOf2({ name: 'Assistant of 2', version: '1.0.0' }, options);
  if (confirms)
    client.setRequestHandler('elicitation/create', async ({ params }) =>
      confirms(params.message) ? { action: 'accept', content: { confirm: true } } : { action: 'decline' },
    );
  await client.connect(new HttpOf2(new URL(`${origin}/mcp`), { requestInit: { headers: toHeaders(keys) } }));
  const { tools } = await client.listTools();
  return {
    names: tools.map(({ name }) => name),
    call: async (name, args = {}) => toTold(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

export async function connect1(origin: string, keys: Keys): Promise<Assistant> {
  const client = new ClientOf1({ name: 'Assistant of 1', version: '1.0.0' });
  // Its own type of a transport is not exact about what may be missing.
  const transport = new HttpOf1(new URL(`${origin}/mcp`), { requestInit: { headers: toHeaders(keys) } });
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
  const { tools } = await client.listTools();
  return {
    names: tools.map(({ name }) => name),
    call: async (name, args = {}) => toTold(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

function toTold(answer: Record<string, unknown>): Told {
  const [{ text = '' } = {}] = (answer.content ?? []) as Array<{ text?: string }>;
  const fenced = /<data-(\w+)>\n(.*)\n<\/data-\1>$/s.exec(text)?.[2];
  const isError = answer.isError === true;
  return { isError, text, data: isError ? JSON.parse(fenced ?? '{}').error : answer.structuredContent };
}
