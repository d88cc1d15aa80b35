import type { Server } from 'node:http';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Within this time a client in the midst of its work, on a busy machine too, sends the next request, and is told to
 * connect anew.
 */
const LAST_REQUESTS_MS = 2_000;
const IDLE_CHECK_MS = 50;

const QUIET_TURN_MS = 0.3;
/** On a machine that is too busy for one none is waited for: what is asked meanwhile would only take longer. */
const QUIET_WITHIN_MS = 2_000;

/**
 * Takes no new connections; those that are open go on. Called before any answer says `connection: close`: a client that
 * is told so connects anew at once, and what the system has accepted when the listening socket closes is reset.
 */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  await waitForQuietTurn();
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
 * A connection that the system has made and Node has not yet accepted is reset when the listening socket
 * closes. After a turn of the event loop that did next to nothing there is hardly room for one.
 */
async function waitForQuietTurn(): Promise<void> {
  const fromMs = performance.now();
  for (let turn = 0; performance.now() - fromMs < QUIET_WITHIN_MS; turn += 1) {
    const beganMs = performance.now();
    await new Promise(setImmediate);
    if (performance.now() - beganMs < QUIET_TURN_MS && turn > 0) return;
  }
}
