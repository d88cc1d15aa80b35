/**
 * What a process does, as spans: a request, its operation, each statement by its name and each call to the outside; a
 * job beside them, with a link to the request that has put it there. A span holds what a log may hold. It is only noted
 * while something is done; what was noted goes out later, in batches, and what finds no room is lost rather than waited for.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import {
  type JobBegan,
  type JobEnded,
  jobBegan,
  jobEnded,
  type OperationBegan,
  operationBegan,
  type RequestBegan,
  type RequestEnded,
  requestBegan,
  requestEnded,
  type StatementRan,
  statementRan,
  type TracedScope,
  WORK,
  type WorkOf,
} from '../../domain/trace-points.ts';
import { PRODUCT_VERSION } from '../../domain/version.ts';
import { nameStatement } from './name-statement.ts';
import { watchCalls } from './trace-calls.ts';

/** Spans that wait to be sent; beyond it they are lost. */
const WAITING_MAX = 4_096;
const BATCH_SIZE = 512;
const SEND_EVERY_MS = 1_000;
/** How long a batch is tried; a stop waits no longer for the last ones. */
const SEND_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;
/** Work whose request is remembered. */
const LINKS_MAX = 10_000;
/** Requests that one job names: more would make a span of its own size. */
const LINKS_OF_JOB_MAX = 32;

export interface Traces {
  /** Of what is being done; null = nothing that is traced. */
  readTraceId(): string | null;
  /** Where it is told that the collector cannot be reached: once, until it can. */
  tellTo(log: Pick<Logger, 'info' | 'warn'>): void;
  /** Sends what waits. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface CollectingTraces {
  /** The collector's, without its path. */
  url: string;
  role: string;
  sendEveryMs?: number;
  sendTimeoutMs?: number;
}

/** What is being done. */
interface Doing {
  span: Span;
  /** The request that it is done for, also by a job later; null = nobody's. */
  requestId: string | null;
}

export function collectTraces(options: CollectingTraces): Traces {
  const { url, role, sendEveryMs = SEND_EVERY_MS, sendTimeoutMs = SEND_TIMEOUT_MS } = options;
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: sendTimeoutMs });
  let log: Pick<Logger, 'info' | 'warn'> | null = null;
  const processor = new BatchSpanProcessor({
    exporter: tellingOnce(exporter, () => log),
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: BATCH_SIZE,
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: sendTimeoutMs + 1_000,
  });
  const ids = createTraceIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'counterfoil',
      'service.version': PRODUCT_VERSION,
      'counterfoil.role': role,
    }),
    spanProcessors: [processor],
    idGenerator: ids,
  });
  const tracer = provider.getTracer('counterfoil', PRODUCT_VERSION);
  const doing = new AsyncLocalStorage<Doing>();
  const tracing: Tracing = { tracer, ids, doing, open: new WeakMap() };
  const ends = [
    traceRequests(tracing),
    traceJobs(tracing),
    traceStatements(tracing),
    watchCalls({
      collector: new URL(url),
      begin: (name, attributes) => beginCall(tracing, name, attributes),
    }),
  ];
  return {
    readTraceId: () => doing.getStore()?.span.spanContext().traceId ?? null,
    tellTo: (told) => {
      log = told;
    },
    flush: () => provider.forceFlush(),
    close: async () => {
      for (const end of ends) end();
      doing.disable();
      const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

interface DoingJob extends Doing {
  /** The requests that it is linked to. */
  causes: Set<string>;
}

interface Tracing {
  tracer: Tracer;
  ids: TraceIds;
  doing: AsyncLocalStorage<Doing>;
  /** By the objects that beginnings and ends have in common: the outermost first. */
  open: WeakMap<object, Doing[]>;
}

function traceRequests({ tracer, ids, doing, open }: Tracing): () => void {
  const begin = ({ key, requestId, method }: RequestBegan): Doing => {
    const attributes = { requestId, method };
    const span = ids.ofRequest(requestId, () =>
      tracer.startSpan(method, { kind: SpanKind.SERVER, root: true, attributes }, ROOT_CONTEXT),
    );
    const begun = { span, requestId };
    open.set(key, [begun]);
    return begun;
  };
  const beginOperation = ({ key, name }: OperationBegan): Doing | undefined => {
    const [request] = open.get(key) ?? [];
    if (!request) return undefined;
    const begun = { ...request, span: tracer.startSpan(name, {}, within(request.span)) };
    open.set(key, [request, begun]);
    return begun;
  };
  const end = (message: unknown) => {
    const { key, route, status, scope, keyId, code } = message as RequestEnded;
    const [request, operation] = open.get(key) ?? [];
    open.delete(key);
    operation?.span.end();
    if (!request) return;
    const { span } = request;
    if (route !== null) span.setAttribute('route', route);
    span.setAttributes({
      status,
      ...toAttributes(scope),
      ...(keyId ? { keyId } : {}),
      ...(code ? { code } : {}),
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  // Node types what a channel carries as unknown.
  requestBegan.bindStore(doing, (began) => begin(began as RequestBegan));
  operationBegan.bindStore(doing, (began) => beginOperation(began as OperationBegan) as Doing);
  requestEnded.subscribe(end);
  return () => {
    requestBegan.unbindStore(doing);
    operationBegan.unbindStore(doing);
    requestEnded.unsubscribe(end);
  };
}

function traceJobs({ tracer, ids, doing, open }: Tracing): () => void {
  /** By what the work is about, the oldest first. */
  const requests = new Map<string, string>();
  const put = (message: unknown) => {
    const requestId = doing.getStore()?.requestId;
    if (!requestId) return;
    for (const id of (message as WorkOf).ids) {
      requests.delete(id);
      requests.set(id, requestId);
    }
    for (const oldest of requests.keys()) {
      if (requests.size <= LINKS_MAX) break;
      requests.delete(oldest);
    }
  };
  const link = (job: DoingJob, about: readonly string[]) => {
    for (const requestId of about.flatMap((id) => requests.get(id) ?? [])) {
      if (job.causes.has(requestId) || job.causes.size >= LINKS_OF_JOB_MAX) continue;
      job.causes.add(requestId);
      job.span.addLink({ context: ids.contextOf(requestId), attributes: { requestId } });
    }
    // What it puts in its turn is the same request's, unless it is several's.
    const [only] = job.causes;
    job.requestId = job.causes.size === 1 ? (only ?? null) : null;
  };
  const found = (message: unknown) => {
    const job = doing.getStore();
    if (job && 'causes' in job) link(job as DoingJob, (message as WorkOf).ids);
  };
  const begin = ({ key, kind, works }: JobBegan): Doing => {
    const [first, second] = works;
    // Of many rows only what they have in common.
    const own =
      first && !second ? { refId: first.refId, attempt: first.failures + 1 } : { rows: works.length };
    const attributes = { kind, ...own, ...toAttributes(first?.scope ?? null) };
    const options = { kind: SpanKind.CONSUMER, root: true, attributes };
    const span = tracer.startSpan(`job ${kind}`, options, ROOT_CONTEXT);
    const begun: DoingJob = { span, requestId: null, causes: new Set() };
    open.set(key, [begun]);
    link(
      begun,
      works.map(({ refId }) => refId),
    );
    return begun;
  };
  const end = (message: unknown) => {
    const { key, failed } = message as JobEnded;
    const span = open.get(key)?.[0]?.span;
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };
  WORK.put.subscribe(put);
  WORK.found.subscribe(found);
  jobBegan.bindStore(doing, (began) => begin(began as JobBegan));
  jobEnded.subscribe(end);
  return () => {
    WORK.put.unsubscribe(put);
    WORK.found.unsubscribe(found);
    jobBegan.unbindStore(doing);
    jobEnded.unsubscribe(end);
  };
}

function traceStatements({ tracer, doing }: Tracing): () => void {
  const ran = (message: unknown) => {
    const parent = doing.getStore()?.span;
    if (!parent) return;
    const { text, ms, failed } = message as StatementRan;
    const endMs = Date.now();
    const attributes = { 'db.system.name': 'postgresql' };
    const options = { kind: SpanKind.CLIENT, attributes, startTime: endMs - ms };
    const span = tracer.startSpan(nameStatement(text), options, within(parent));
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
  };
  statementRan.subscribe(ran);
  return () => statementRan.unsubscribe(ran);
}

/** Undefined outside of anything that is traced. */
function beginCall(
  { tracer, doing }: Tracing,
  name: string,
  attributes: Record<string, string>,
): Span | undefined {
  const parent = doing.getStore()?.span;
  return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, within(parent));
}

const within = (parent: Span) => trace.setSpan(ROOT_CONTEXT, parent);

const toAttributes = (scope: TracedScope | null): Record<string, string> =>
  scope === null ? {} : { workspaceId: scope.workspaceId, mode: scope.testMode ? 'test' : 'live' };

interface TraceIds {
  generateTraceId(): string;
  generateSpanId(): string;
  /** Makes the span of a request, whose names follow from the request's: whoever has that finds the trace. */
  ofRequest(requestId: string, make: () => Span): Span;
  /** The same names, for a link, wherever the request was answered. */
  contextOf(requestId: string): SpanContext;
}

function createTraceIds(): TraceIds {
  const random = new RandomIdGenerator();
  let given: SpanContext | null = null;
  const contextOf = (requestId: string): SpanContext => {
    const traceId = requestId.replaceAll('-', '');
    return { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED };
  };
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    ofRequest(requestId, make) {
      given = contextOf(requestId);
      try {
        return make();
      } finally {
        given = null;
      }
    },
    contextOf,
  };
}

/** The collector's failures are told when they begin and when they have ended: what is lost is no sale. */
function tellingOnce(exporter: SpanExporter, log: () => Pick<Logger, 'info' | 'warn'> | null): SpanExporter {
  let isLost = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const fails = result.error !== undefined;
        if (fails && !isLost)
          log()?.warn(
            { event: 'traces_lost', err: result.error },
            'the collector of traces cannot be reached: they are lost until it can',
          );
        if (!fails && isLost)
          log()?.info({ event: 'traces_sent' }, 'the collector of traces is reached again');
        isLost = fails;
        // What is given back as a failure would be told once more by OpenTelemetry itself.
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
  };
}
