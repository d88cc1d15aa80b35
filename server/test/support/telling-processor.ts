/** A processor that tells by itself: the sandbox, whose charges are told of in the form and with the signature of Stripe. */
import { createHmac } from 'node:crypto';
import { toJson } from '../../src/db/scope.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { countFindings } from '../../src/domain/processors/findings.ts';
import { confirmEndpoint, openEndpoint } from '../../src/flows/processors/open-endpoint.ts';
import { keepNotifications } from '../../src/flows/processors/take-notification.ts';
import { toSandboxConnectionId } from '../../src/providers/payment/sandbox/sandbox-connection.ts';
import { readStripeNotification } from '../../src/providers/payment/stripe/notifications.ts';
import { insertReport } from '../../src/resources/processors/processor-reports.queries.ts';
import type { TestApp, TestStore } from './harness.ts';

export interface Telling {
  connectionId: string;
  /** The path at which it tells. */
  path: string;
  secret: string;
}

/** The sandbox of the service is one that tells from here on. */
export function makeTelling({ service }: TestApp): void {
  service.payments.sandbox.readNotification = async (raw) => readStripeNotification(raw, false);
}

/** An endpoint of a store's sandbox. */
export async function openTelling(app: TestApp, store: TestStore): Promise<Telling> {
  const { confirm, ...told } = await beginTelling(app, store);
  await confirm();
  return told;
}

/** One that the processor has made and not yet answered for: `confirm` is its answer. */
export async function beginTelling({ service }: TestApp, { scope }: TestStore) {
  const connectionId = toSandboxConnectionId(scope.workspaceId);
  const secret = `whsec_${Buffer.from(service.ids.randomBytes(16)).toString('hex')}`;
  const ctx = { ...service, nowMs: service.realNowMs() };
  const { id, url } = await openEndpoint(ctx, scope, { db: service.db, connectionId });
  const confirm = () =>
    inTransaction(service.db, (tx) =>
      confirmEndpoint(service, scope, { tx, id, processorId: `we_${id}`, secret }),
    );
  return { connectionId, path: new URL(url).pathname, secret, confirm };
}

/** What a connection was told and nobody has read; answers its id. */
export async function keepTold({ service }: TestApp, { scope }: TestStore, connectionId: string) {
  const nowMs = service.realNowMs();
  const id = `evt_${service.ids.next(nowMs)}`;
  const object = { kind: 'charge' as const, processorId: 'pi_none', ofCharge: null, ownId: null };
  const notification = { id, type: 'payment_intent.succeeded', happenedAtMs: nowMs, object };
  const kept = { connectionId, notifications: [notification], wasRead: false };
  await inTransaction(service.db, (tx) => keepNotifications({ ...service, nowMs }, scope, { tx, ...kept }));
  const row = await service.db
    .selectFrom('processorEvents')
    .select('id')
    .where('eventId', '=', id)
    .executeTakeFirstOrThrow();
  return row.id;
}

let count = 0;

/** As Stripe writes it. */
export function toEvent(type: string, object: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  count += 1;
  const created = Math.floor(Date.now() / 1000);
  return { id: `evt_${count}`, object: 'event', livemode: false, created, type, data: { object }, ...rest };
}

/** One signature for each secret. */
export function sign(body: string, secrets: readonly string[], atMs = Date.now()): string {
  const at = Math.floor(atMs / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
  );
  return [`t=${at}`, ...signatures].join(',');
}

/** Sends what is told; answers the status. */
export async function tell(
  { app }: TestApp,
  { path, secret }: Pick<Telling, 'path' | 'secret'>,
  event: unknown,
  { body = JSON.stringify(event, null, 2), signature }: { body?: string; signature?: string | null } = {},
): Promise<number> {
  const given = signature === undefined ? sign(body, [secret]) : signature;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(given === null ? {} : { 'stripe-signature': given }),
  };
  const response = await app.inject({ method: 'POST', url: path, payload: body, headers });
  return response.statusCode;
}

/** What comparing a connection's books would have found; answers its id. */
export async function keepReport({ service }: TestApp, { scope }: TestStore, connectionId: string) {
  const now = service.realNowMs();
  const id = service.ids.next(now);
  const counts = { ...countFindings([]), foreign: 1 };
  const row = { id, connectionId, fromAt: 1, toAt: now, createdAt: now, acknowledgedAt: null };
  const written = { counts: toJson(counts), findings: '[]', sums: '[]', acknowledgedNote: null };
  await inTransaction(service.db, (tx) => insertReport(tx, scope, { ...row, ...written }));
  return id;
}
