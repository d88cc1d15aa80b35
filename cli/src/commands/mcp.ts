/**
 * `counterfoil mcp`: carries what an assistant says on stdin to the service, and its answers to stdout, a line each. The
 * tools are the service's own; nothing of them is known here.
 */
import { CommandError, EXIT, type Io } from '../io.ts';
import { type Own, openPair, type PairFlags, withExample, withPair } from '../own-command.ts';
import type { Chosen } from '../profiles.ts';

const TIMEOUT_MS = 600_000;
/** A message that is longer is refused by the service, too. */
const LINE_MAX = 1024 * 1024;
const META = 'io.modelcontextprotocol';
/** As JSON-RPC calls what went wrong on this side. */
const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

interface Message {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
}

/** What the service says: an answer of the protocol, or its own of what it refused before. */
interface Told {
  jsonrpc?: unknown;
  id?: unknown;
  error?: { message?: string };
}

interface Talk {
  pair: Chosen;
  /** Whether tools that write are offered. */
  allowWrites: boolean;
  /** As the assistant called itself when it began. */
  client: string | null;
}

export function addMcp({ io, program }: Own): void {
  const command = withPair(program.command('mcp'))
    .description('give an assistant the tools of the store, over stdin and stdout')
    .option('--allow-writes', 'offer the tools that write, too, as far as the keys may use them');
  withExample(command, 'counterfoil mcp', 'counterfoil mcp --allow-writes');
  command.action(async (flags: PairFlags & { allowWrites?: boolean }) => {
    const { pair } = await openPair(io, flags);
    process.stdin.setEncoding('utf8');
    await carry(io, { pair, allowWrites: flags.allowWrites ?? false, input: process.stdin });
  });
}

interface Carrying {
  pair: Chosen;
  allowWrites: boolean;
  input: AsyncIterable<string>;
}

/** Ends with its input, when all that was asked is answered. */
export async function carry(io: Io, { pair, allowWrites, input }: Carrying): Promise<void> {
  const talk: Talk = { pair, allowWrites, client: null };
  const asked = new Set<Promise<void>>();
  for await (const line of toLines(input)) {
    const doing = answer(io, talk, line).finally(() => asked.delete(doing));
    asked.add(doing);
  }
  await Promise.all(asked);
}

async function* toLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_MAX) throw new CommandError(EXIT.usage, 'A message on stdin is too long.');
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

async function answer(io: Io, talk: Talk, line: string): Promise<void> {
  const said = parse(line);
  if (said === undefined) return tell(io, { id: null, code: PARSE_ERROR, message: 'The line is not JSON.' });
  if (!isMessage(said)) return tell(io, { id: idOf(said), code: INVALID_REQUEST, message: NO_MESSAGE });
  const message = said;
  const { name } = (message.params?.clientInfo ?? {}) as { name?: string };
  if (message.method === 'initialize' && typeof name === 'string') talk.client = name;
  const { id } = message;
  try {
    const response = await send(io, talk, { line, message });
    const text = (await response.text()).trim();
    if (id === undefined || message.method === undefined) return;
    const told = parse(text) as Told | null | undefined;
    // The service could not read whose it was: a key twice, or one too many.
    if (told?.jsonrpc !== undefined) io.out(JSON.stringify(told.id === null ? { ...told, id } : told));
    else
      tell(io, {
        id,
        code: INTERNAL_ERROR,
        message: told?.error?.message ?? `The answer was ${response.status}.`,
      });
  } catch (error) {
    if (io.signal.aborted) return;
    const message = error instanceof CommandError ? error.message : `${talk.pair.baseUrl} does not answer.`;
    if (id !== undefined) tell(io, { id, code: INTERNAL_ERROR, message });
  }
}

function send(io: Io, talk: Talk, { line, message }: { line: string; message: Message }): Promise<Response> {
  const { pair, allowWrites, client } = talk;
  return io.fetch(`${pair.baseUrl}/mcp${allowWrites ? '' : '?writes=off'}`, {
    method: 'POST',
    body: line,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-svc-public-key': pair.publicKey,
      'x-svc-secret-key': pair.secretKey,
      ...(client === null ? {} : { 'x-counterfoil-client': encodeURIComponent(client) }),
      ...toHeaders(message),
    },
    // Keys go nowhere else.
    redirect: 'error',
    signal: AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
}

/** What the protocol wants told in headers over HTTP, of messages that say their revision. */
function toHeaders({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.[`${META}/protocolVersion`];
  if (typeof version !== 'string' || method === undefined) return {};
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  };
}

/** Undefined where it is no JSON, which holds no such value. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NO_MESSAGE =
  'A line is one message: an object with a method, or an answer. Several together are not taken.';

/** Whoever sends what is none waits for an answer to it all the same. */
function isMessage(said: unknown): said is Message {
  if (typeof said !== 'object' || said === null) return false;
  return ('method' in said && typeof said.method === 'string') || 'result' in said || 'error' in said;
}

function idOf(said: unknown): unknown {
  const id = typeof said === 'object' && said !== null && 'id' in said ? said.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function tell(io: Io, { id, code, message }: { id: unknown; code: number; message: string }): void {
  io.out(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
}
