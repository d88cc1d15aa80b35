import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { buy } from '../../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../../../test/support/receiver.ts';
import { openStripeApp } from '../../../test/support/stripe-app.ts';
import { requestBegan, statementRan } from '../../domain/trace-points.ts';
import { createLog } from './log.ts';
import { openTraces, toMissing } from './open-traces.ts';
import { collectTraces, type Traces } from './traces.ts';

const SPAN_KINDS = { server: 2, client: 3, consumer: 5 };

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Array<{ key: string; value: { stringValue?: string; intValue?: number } }>;
  links?: Array<{ traceId: string; spanId: string }>;
}

const ends: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** What is opened here is closed after the test. */
function keep<T extends { close(): Promise<unknown> }>(opened: T): T {
  ends.push(() => opened.close());
  return opened;
}

const toSpans = ({ requests }: Receiver): SentSpan[] =>
  requests.flatMap(({ raw }) =>
    JSON.parse(String(raw)).resourceSpans.flatMap((one: { scopeSpans: Array<{ spans: SentSpan[] }> }) =>
      one.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );

const read = (span: SentSpan | undefined, key: string) => {
  const value = span?.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};

/** A log of lines that a test reads. */
function openLog(traces: Traces) {
  const lines: Array<Record<string, unknown>> = [];
  const log = createLog('info', {
    stream: { write: (line: string) => void lines.push(JSON.parse(line)) },
    readTraceId: traces.readTraceId,
  });
  traces.tellTo(log);
  return { log, lines };
}

/** A purchase and what it leaves to do. */
async function sell({ test, wired }: TestApp, body: Record<string, unknown> = {}) {
  const sold = await buy(test, { offersIds: [await makeOffer(test)], ...body });
  expect(sold.status).toBe(200);
  await wired.worker.runDue();
  return sold;
}

describe('traces', () => {
  it('show a purchase from its request to its statements and calls, and its jobs linked to it', async () => {
    const collector = keep(await createReceiver());
    const traces = keep(collectTraces({ url: collector.url, role: 'all' }));
    const { app, processorId, double, account } = keep(
      await openStripeApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }),
    );
    const merchant = keep(await createReceiver());
    const url = `${merchant.url}/hook-path?hook-query=1`;
    await app.test.post('/v0/webhooks/create', { url, events: ['payment_success'] });
    const bought = { processorId, paymentMethod: 'pm_card_visa', userEmail: 'grace@example.com' };
    const { headers } = await sell(app, bought);
    await traces.flush();
    const spans = toSpans(collector);
    const requestId = String(headers['x-request-id']);
    const ofPurchase = spans.filter(({ traceId }) => traceId === requestId.replaceAll('-', ''));
    const root = ofPurchase.find(({ parentSpanId }) => !parentSpanId);
    expect([root?.name, root?.kind]).toEqual(['POST', SPAN_KINDS.server]);
    const told = ['requestId', 'route', 'status', 'mode', 'workspaceId'].map((key) => read(root, key));
    const { workspaceId } = app.test.scope;
    expect(told).toEqual([requestId, '/v0/test-purchases/create', 200, 'test', workspaceId]);
    const operation = ofPurchase.find(({ name }) => name === 'createTestPurchase');
    expect(operation?.parentSpanId).toBe(root?.spanId);
    const beneath = ofPurchase.filter(({ parentSpanId }) => parentSpanId === operation?.spanId);
    expect(beneath.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['insert orders', 'commit', 'POST']),
    );
    const call = beneath.find(({ name }) => name === 'POST');
    expect([read(call, 'host'), read(call, 'status')]).toEqual([new URL(double.apiUrl).host, 200]);
    const delivery = spans.find(({ name }) => name === 'job deliver_webhook');
    expect(delivery?.kind).toBe(SPAN_KINDS.consumer);
    expect(delivery?.links).toEqual([
      expect.objectContaining({ traceId: root?.traceId, spanId: root?.spanId }),
    ]);
    const mail = spans.find(({ name }) => name === 'job send_mail');
    expect(mail?.links).toEqual([expect.objectContaining({ traceId: root?.traceId })]);
    const sent = spans.find(({ name, traceId }) => name === 'POST' && traceId === delivery?.traceId);
    expect(read(sent, 'host')).toBe(new URL(merchant.url).host);
    const text = collector.requests.map(({ raw }) => String(raw)).join('\n');
    const secrets = [app.test.keys.secretKey, app.test.keys.publicKey, account.secretKey];
    for (const secret of [...secrets, 'grace@', 'pm_card_visa', 'hook-path', 'hook-query', '$1'])
      expect(text).not.toContain(secret);
  });

  it('stand in the log by their name, which is the request’s', async () => {
    const collector = keep(await createReceiver());
    const traces = keep(collectTraces({ url: collector.url, role: 'all' }));
    const { log, lines } = openLog(traces);
    const app = keep(await createTestApp({}, log));
    app.app.server.closeAllConnections();
    await app.service.pool.query('alter table offers rename to offers_gone');
    const answer = await app.test.get('/v0/offers/list', { headers: {} }).catch(() => null);
    expect(answer?.status ?? 500).toBe(500);
    const line = lines.find(({ err }) => err !== undefined);
    expect(line?.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('O49 make no request wait for a collector that refuses, and tell of it once', async () => {
    const closed = await createReceiver();
    await closed.close();
    await expectOneWarning(closed.url);
  });

  it('O49 make no request wait for a collector that never answers, and tell of it once', async () => {
    const silent = net.createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const sockets: net.Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    ends.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    // A server that listens on TCP has an address object.
    await expectOneWarning(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    expect(sockets.length).toBeGreaterThan(0);
  });

  it('tell when the collector is reached again', async () => {
    const collector = keep(await createReceiver());
    const traces = keep(collectTraces({ url: collector.url, role: 'all' }));
    const { log, lines } = openLog(traces);
    const app = keep(await createTestApp({}, log));
    collector.script({ status: 400 }, { status: 400 });
    for (let round = 0; round < 3; round += 1) {
      await app.test.get('/v0/offers/list');
      await traces.flush();
    }
    expect(lines.map(({ event }) => event)).toEqual(['traces_lost', 'traces_sent']);
  });

  it('cost nothing where no collector is named', async () => {
    const app = keep(await createTestApp());
    expect(await openTraces(app.service.config)).toBeNull();
    expect([requestBegan.hasSubscribers, statementRan.hasSubscribers]).toEqual([false, false]);
  });

  it('name the package that is missing in one line', () => {
    const found = "Cannot find package '@opentelemetry/sdk-trace' imported from /srv/run/start.js";
    const error = Object.assign(new Error(found), { code: 'ERR_MODULE_NOT_FOUND' });
    expect(toMissing(error)?.message).toMatch(
      /^OTEL_EXPORTER_OTLP_ENDPOINT .*sdk-trace is not installed: npm install .*$/,
    );
    expect(toMissing(new Error('another'))).toBeNull();
  });
});

/** Sells while nothing that was noted can be sent; every answer comes before a try has ended. */
async function expectOneWarning(url: string): Promise<void> {
  const traces = keep(collectTraces({ url, role: 'all', sendEveryMs: 60_000, sendTimeoutMs: 300 }));
  const { log, lines } = openLog(traces);
  const app = keep(await createTestApp({}, log));
  for (let round = 0; round < 3; round += 1) {
    let isTried = false;
    await sell(app);
    const tried = traces.flush().then(() => {
      isTried = true;
    });
    // Both ways to fail take a while; an answer takes none of it.
    const answer = await app.app.inject({ method: 'GET', url: '/healthz' });
    expect([answer.statusCode, isTried]).toEqual([200, false]);
    await tried;
  }
  expect(lines.map(({ event }) => event)).toEqual(['traces_lost']);
}
