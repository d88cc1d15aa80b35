/**
 * Calls to the outside, as Node and undici tell of them: whichever library makes one, it is traced. Of an address only the
 * host is noted, since paths and queries hold ids, and those of webhooks may hold secrets.
 */
import { channel } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Span, SpanStatusCode } from '@opentelemetry/api';

export interface WatchingCalls {
  /** Whose calls are not traced: they carry traces. */
  collector: URL;
  /** Undefined = nobody traces what is being done. */
  begin(name: string, attributes: Record<string, string>): Span | undefined;
}

/** Answers how to watch no more. */
export function watchCalls(watching: WatchingCalls): () => void {
  const ends = [watchUndici(watching), watchNode(watching)];
  return () => {
    for (const end of ends) end();
  };
}

/** A request as undici tells of it, whatever copy of undici it is. */
interface UndiciMessage {
  request: { origin: string | URL; method: string };
  response?: { statusCode: number };
}

function watchUndici({ collector, begin }: WatchingCalls): () => void {
  const open = new WeakMap<object, Span>();
  const created = (message: unknown) => {
    const { request } = message as UndiciMessage;
    const { host } = new URL(request.origin);
    if (host === collector.host) return;
    const span = begin(request.method, { method: request.method, host });
    if (span) open.set(request, span);
  };
  const ended = (message: unknown) => {
    const { request, response } = message as UndiciMessage;
    endCall(open.get(request), response?.statusCode);
    open.delete(request);
  };
  return listen({
    'undici:request:create': created,
    'undici:request:headers': ended,
    'undici:request:error': ended,
  });
}

function watchNode({ collector, begin }: WatchingCalls): () => void {
  const statuses = new WeakMap<ClientRequest, number>();
  const started = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const host = String(request.getHeader('host') ?? request.host);
    if (host === collector.host) return;
    const span = begin(request.method, { method: request.method, host });
    if (!span) return;
    request.once('close', () => {
      endCall(span, statuses.get(request));
    });
  };
  // No listener of our own for the response: whoever has one must read it.
  const answered = (message: unknown) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    if (response.statusCode !== undefined) statuses.set(request, response.statusCode);
  };
  return listen({ 'http.client.request.start': started, 'http.client.response.finish': answered });
}

function endCall(span: Span | undefined, status: number | undefined): void {
  if (status === undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
  else span?.setAttribute('status', status);
  span?.end();
}

function listen(listeners: Readonly<Record<string, (message: unknown) => void>>): () => void {
  for (const [name, listener] of Object.entries(listeners)) channel(name).subscribe(listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) channel(name).unsubscribe(listener);
  };
}
