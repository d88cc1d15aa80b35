import type { Server } from 'node:http';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Within this time a client in the midst of its work, on a busy machine too, sends the next request, and is told to
 * connect anew.
 */
const LAST_REQUESTS_MS = 2_000;
const IDLE_CHECK_MS = 50;

/** Where a server that listens at every address is reached from its own machine. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** A connection of our own that took longer leaves room for others behind it. */
const QUIET_TRIP_MS = 2;
/** On a machine that is too busy for a quiet one none is waited for: what is asked meanwhile would only take longer. */
const QUIET_WITHIN_MS = 2_000;
/** What waits to be accepted is let in first; a service that cannot keep up with what comes is not waited for. */
const EMPTY_WITHIN_MS = 10_000;

/**
 * Takes no new connections; those that are open go on. Called before any answer says `connection: close`: a client that
 * is told so connects anew at once, and what the system has accepted when the listening socket closes is reset.
 */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  await letWaitingIn(server);
  if (server.listening) net.Server.prototype.close.call(server);
}

/**
 * Lets the connections that are open end with an answer that says `connection: close`. Node's own close cuts every
 * connection without a running request, also one whose request is on its way.
 */
export function makeDrain(server: Server): () => Promise<void> {
  const closed = new AbortController();
  let hasListened = false;
  server.once('listening', () => {
    hasListened = true;
  });
  server.once('close', () => closed.abort());
  return async () => {
    if (!hasListened) return;
    await stopListening(server);
    await wait(LAST_REQUESTS_MS, undefined, { signal: closed.signal }).catch(() => {});
    while (!closed.signal.aborted) {
      server.closeIdleConnections();
      await wait(IDLE_CHECK_MS, undefined, { signal: closed.signal }).catch(() => {});
    }
  };
}

/**
 * A connection that the system has made and Node has not yet accepted is reset when the listening socket closes. Node
 * accepts one a turn, so that on a busy machine many wait. They are accepted in the order of their arrival: once one
 * of our own is, whatever came before it is, too. Ends in the turn that accepted it.
 */
async function letWaitingIn(server: Server): Promise<void> {
  const fromMs = performance.now();
  let leftMs = EMPTY_WITHIN_MS;
  while (leftMs > 0 && server.listening) {
    const beganMs = performance.now();
    const others = await countBefore(server, leftMs);
    const isQuiet =
      performance.now() - beganMs < QUIET_TRIP_MS || performance.now() - fromMs > QUIET_WITHIN_MS;
    if (others === null || (others === 0 && isQuiet)) return;
    leftMs = EMPTY_WITHIN_MS - (performance.now() - fromMs);
  }
}

/** How many were accepted before a connection that is made now; null where none can be made. */
async function countBefore(server: Server, withinMs: number): Promise<number | null> {
  const address = server.address();
  if (address === null || typeof address === 'string') return null;
  const accepted: (number | undefined)[] = [];
  const host = LOOPBACK[address.address] ?? address.address;
  const probe = net.connect({ port: address.port, host });
  return new Promise<number | null>((resolve) => {
    const end = (others: number | null) => {
      server.off('connection', note);
      probe.destroy();
      resolve(others);
    };
    // Either of its two ends may be the first to hear of it.
    const look = () => {
      const at = probe.localPort === undefined ? -1 : accepted.indexOf(probe.localPort);
      if (at >= 0) end(at);
    };
    const note = (socket: net.Socket) => {
      accepted.push(socket.remotePort);
      look();
    };
    server.on('connection', note);
    probe.once('connect', look).once('error', () => end(null));
    probe.setTimeout(Math.ceil(withinMs), () => end(null));
  });
}
