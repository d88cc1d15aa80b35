/** `listen`: takes the events of a listener and posts them to an address that only this machine reaches. */
import { signWebhook } from '../../../sdk/src/webhooks.ts';
import type { Call } from '../call.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import type { KeptListener } from '../profiles.ts';
import { createReach, type Reach } from './contact.ts';
import { type Delivery, forward, isDelivered, type Result } from './forward.ts';
import { type Asking, findListener, makeListener } from './listener.ts';

const AT_ONCE = 10;
const WAIT_MS = 25_000;
/** A little longer than the service waits. */
const NEXT_TIMEOUT_MS = 35_000;
const REPORTED_AT_ONCE = 50;
/** Posted ones of which it is remembered: a lease that ran out hands out the same again. */
const REMEMBERED_MAX = 1_000;
/** How long whoever is being posted to is waited for after Ctrl-C. */
const ENDING_MS = 2_000;
const REPORT_TIMEOUT_MS = 10_000;

export interface Listening extends Asking {
  /** Goes on when the command is ending: what was posted is told still. */
  report: Call;
  forwardTo: string;
  isJson: boolean;
}

/** What runs, what became of it, and what the service was not told yet. */
interface State {
  listener: KeptListener;
  running: Map<string, Promise<void>>;
  results: Map<string, Result>;
  untold: Result[];
  isTelling: boolean;
  failed: Delivery | null;
  fault: unknown;
  /** Cuts what is still being posted. */
  cut: AbortController;
}

export async function listen(io: Io, listening: Listening): Promise<void> {
  const reach = createReach(io);
  const listener = await reach(() => findListener(io, listening));
  const { isJson, forwardTo } = listening;
  io.out(isJson ? JSON.stringify({ secret: listener.secret, listenerId: listener.id }) : listener.secret);
  io.err(`Events go to ${forwardTo}. r resends the last failure, Ctrl-C ends.`);
  const state: State = {
    listener,
    running: new Map(),
    results: new Map(),
    untold: [],
    isTelling: false,
    failed: null,
    fault: null,
    cut: new AbortController(),
  };
  const stopHearing = io.onKey((key) => {
    if (key === 'r') void resend(io, listening, state);
  });
  try {
    await takeAll(io, { listening, state, reach });
  } finally {
    stopHearing();
    await end(io, listening, state);
  }
}

async function takeAll(
  io: Io,
  { listening, state, reach }: { listening: Listening; state: State; reach: Reach },
): Promise<void> {
  while (!io.signal.aborted) {
    if (state.fault) throw state.fault;
    const free = AT_ONCE - state.running.size;
    if (free === 0) {
      await Promise.race(state.running.values());
      continue;
    }
    const deliveries = await reach(() => takeNext(io, { listening, state, take: free }));
    // What could not be told while the service was away.
    void tell(listening, state);
    for (const delivery of deliveries) take(io, listening, { state, delivery });
  }
}

async function takeNext(
  io: Io,
  { listening, state, take }: { listening: Listening; state: State; take: number },
): Promise<Delivery[]> {
  const path = `/v0/listeners/${state.listener.id}/next`;
  const body = { wait: WAIT_MS, take };
  const request = {
    method: 'POST',
    path,
    body,
    timeoutMs: NEXT_TIMEOUT_MS,
    triesMax: 1,
    idempotencyKey: null,
  };
  try {
    return ((await listening.call(request)) as { deliveries: Delivery[] }).deliveries;
  } catch (error) {
    const isOver = error instanceof CommandError && /^(listener_ended|not_found)$/.test(error.code);
    if (!isOver) throw error;
    io.err('Nobody had listened for a day: what waited then was dropped. Listening anew.');
    state.listener = await makeListener(io, listening, state.listener.secret);
    return [];
  }
}

function take(io: Io, listening: Listening, { state, delivery }: { state: State; delivery: Delivery }): void {
  const { id } = delivery;
  const known = state.results.get(id);
  // The service did not hear of it in time: it was posted once, and is not posted again.
  if (known) {
    state.untold.push(known);
    void tell(listening, state);
  } else if (!state.running.has(id)) {
    const posting = post(io, listening, { state, delivery }).finally(() => state.running.delete(id));
    state.running.set(id, posting);
  }
}

async function post(
  io: Io,
  listening: Listening,
  { state, delivery }: { state: State; delivery: Delivery },
): Promise<void> {
  const { signal } = state.cut;
  const result = await forward(io, { url: listening.forwardTo, delivery, signal });
  if (signal.aborted) return;
  if (!isDelivered(result)) state.failed = delivery;
  print(io, listening, { delivery, result });
  state.results.set(delivery.id, result);
  const [oldest] = state.results.keys();
  if (state.results.size > REMEMBERED_MAX && oldest !== undefined) state.results.delete(oldest);
  state.untold.push(result);
  void tell(listening, state);
}

/** One call at a time; what is refused for now is told after the next contact. */
async function tell({ report }: Listening, state: State): Promise<void> {
  if (state.isTelling) return;
  state.isTelling = true;
  try {
    while (state.untold.length > 0) {
      const results = state.untold.slice(0, REPORTED_AT_ONCE);
      const path = `/v0/listeners/${state.listener.id}/report`;
      const once = { timeoutMs: REPORT_TIMEOUT_MS, triesMax: 1, idempotencyKey: null };
      await report({ method: 'POST', path, body: { results }, ...once });
      state.untold.splice(0, results.length);
    }
  } catch (error) {
    if (error instanceof CommandError && error.code === 'not_found') state.untold = [];
    else if (!(error instanceof CommandError) || !error.isPassing) state.fault ??= error;
  } finally {
    state.isTelling = false;
  }
}

/** Signed anew, since a receiver refuses what was signed long ago. */
async function resend(io: Io, listening: Listening, { failed, listener, cut }: State): Promise<void> {
  if (!failed) return io.err('Nothing has failed.');
  const { eventId: id, body, headers } = failed;
  const timestampS = Math.floor(io.nowMs() / 1000);
  const signed = await signWebhook({ body, id, timestampS, secret: listener.secret });
  const delivery = { ...failed, headers: { ...headers, ...signed } };
  const result = await forward(io, { url: listening.forwardTo, delivery, signal: cut.signal });
  print(io, listening, { delivery, result });
}

function print(
  io: Io,
  { isJson }: Listening,
  { delivery: { eventType, eventId }, result }: { delivery: Delivery; result: Result },
): void {
  const { statusCode, error, durationMs } = result;
  const time = new Date(io.nowMs()).toISOString();
  const line = { time, type: eventType, id: eventId, status: statusCode, error, durationMs };
  if (isJson) io.out(JSON.stringify(line));
  else io.out(`${time}  ${eventType.padEnd(22)}  ${eventId}  ${statusCode ?? error}  ${durationMs} ms`);
}

/** What is under way is told still; what takes longer is handed out anew when somebody listens again. */
async function end(io: Io, listening: Listening, state: State): Promise<void> {
  const ended = new AbortController();
  const running = Promise.allSettled(state.running.values()).then(() => ended.abort());
  if (state.running.size > 0) await Promise.race([running, io.sleep(ENDING_MS, ended.signal)]);
  state.cut.abort();
  await tell(listening, state);
}

/** The address that is posted to. */
export function toForwardUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(EXIT.usage, `--forward-to is an http(s) address, not ${text}.`);
  // No request can be sent to one: each event would be told as a failed connection.
  if (new URL(text).username !== '' || new URL(text).password !== '')
    throw new CommandError(EXIT.usage, '--forward-to is an address without a name and a password in it.');
  return text;
}
