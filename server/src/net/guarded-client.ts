/**
 * What sends for `safe-fetch.ts`: a client whose connections are checked where they are made. It is loaded with the first
 * request, since a service that sends none need not hold the client's code.
 */
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, Client, type Dispatcher, Pool, request } from 'undici';
import type { AddressGuard, Target } from './address-guard.ts';
import { BlockedAddress, toFailure } from './failure.ts';
import type { OutgoingRequest, OutgoingResult, Reach } from './outgoing.ts';
import type { OwnAddress } from './own-address.ts';

const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const HEADERS_MAX_BYTES = 16 * 1024;
/** Hosts with several addresses: how long one is tried before the next is tried beside it. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

export interface GuardedClient {
  send(target: Target, outgoing: OutgoingRequest): Promise<Untimed<OutgoingResult>>;
  close(): Promise<void>;
}

export function createGuardedClient(reach: Reach): GuardedClient {
  const agent = createAgent(reach);
  return {
    send: (target, outgoing) => sendOnce(agent, target, outgoing),
    // Waiting for running requests is their callers' business; idle connections must not hold the process.
    close: () => agent.destroy(),
  };
}

/** One client is one connection at a time: the address of its connection is the one a request has reached. */
class TracedClient extends Client {
  readonly #trace: { address: string | null };

  constructor(
    origin: URL,
    {
      connect,
      own,
      ...options
    }: Client.Options & { connect: buildConnector.connector; own: OwnAddress | null },
  ) {
    const trace: { address: string | null } = { address: null };
    super(origin, {
      ...options,
      connect: (target: buildConnector.Options, callback: buildConnector.Callback) =>
        connect(target, (...outcome) => {
          const socket = outcome[1];
          trace.address = socket?.remoteAddress ?? null;
          if (!socket || !own?.isOwnSocket(socket.remoteAddress ?? '', socket.remotePort ?? 0))
            return callback(...outcome);
          // A name that leads here is known for one only now, before anything was sent.
          socket.destroy();
          callback(new BlockedAddress(), null);
        }),
    });
    this.#trace = trace;
  }

  override dispatch(options: TracedOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (options.tracing) options.tracing.connection = this.#trace;
    return super.dispatch(options, handler);
  }
}

/** Travels with a request's options to the client that sends it. */
interface Tracing {
  connection: { address: string | null } | null;
}
type TracedOptions = Dispatcher.DispatchOptions & { tracing?: Tracing };

function createAgent({ guard, resolve, ownAddress: own }: Reach): Agent {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: createGuardedLookup(guard, resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    // The typing asks for a port here, which each request brings along.
  } as buildConnector.BuildOptions);
  return new Agent({
    maxHeaderSize: HEADERS_MAX_BYTES,
    // The total time ends these too; undici's own defaults are minutes.
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    factory: (origin, options) =>
      new Pool(origin, {
        ...options,
        factory: (poolOrigin, clientOptions) =>
          new TracedClient(poolOrigin, { ...clientOptions, connect, own }),
      }),
  });
}

/** Node asks this for every host name it connects to, and never for an address: those `toTarget` has checked. */
function createGuardedLookup(guard: AddressGuard, resolve: Reach['resolve']): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const first = addresses[0];
        const blocked = addresses.find(({ address }) => !guard.isAllowed(address));
        if (blocked) callback(new BlockedAddress(), []);
        else if (!first)
          callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Everything but the duration, which the caller measures. */
type Untimed<T> = T extends unknown ? Omit<T, 'durationMs'> : never;

async function sendOnce(
  agent: Agent,
  target: Target,
  { method, headers, body, timeoutMs = TIMEOUT_MS }: OutgoingRequest,
): Promise<Untimed<OutgoingResult>> {
  if (target.kind === 'blocked') {
    return { kind: 'failed', error: 'blocked', message: target.reason, address: null };
  }
  const tracing: Tracing = { connection: null };
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), Math.min(timeoutMs, TIMEOUT_MS));
  const options = {
    dispatcher: agent,
    method,
    headers,
    body: body ?? null,
    signal: deadline.signal,
    tracing,
  };
  try {
    const answer = await request(target.url, options);
    const address = tracing.connection?.address ?? null;
    const start = await readStart(answer.body);
    return { kind: 'answered', statusCode: answer.statusCode, headers: answer.headers, ...start, address };
  } catch (error) {
    const failure = deadline.signal.aborted
      ? ({ error: 'timeout', message: 'there was no answer in time', address: null } as const)
      : toFailure(error);
    return { kind: 'failed', ...failure, address: failure.address ?? tracing.connection?.address ?? null };
  } finally {
    clearTimeout(timer);
  }
}

/** A receiver that has sent its status has decided, however its text goes on: the rest is left unread. */
async function readStart(body: Readable): Promise<{ body: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let room = ANSWER_MAX_BYTES;
  let isCut = false;
  // Leaving a body early is reported as an error on it.
  body.on('error', () => {});
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, room));
      isCut = chunk.length > room;
      room -= chunk.length;
      if (isCut) break;
    }
  } catch {
    isCut = true;
  }
  // In streaming mode a character that was cut in two is left out instead of being shown as broken.
  return { body: new TextDecoder().decode(Buffer.concat(chunks), { stream: true }), isCut };
}
