/** PayPal as a kind of processor: see docs/design/processors.md for what a charge, a look and a cancel promise. */
import type { CallGate } from '../call-limiter.ts';
import type {
  CancelOutcome,
  ChargeOutcome,
  ChargeReference,
  ChargeRequest,
  DeclinedCharge,
  LookUpOutcome,
  LookUpReference,
  PaymentProvider,
  PreparedRequest,
  PrepareOutcome,
} from '../payment-provider.ts';
import type { OpenedConnection, ProcessorKind } from '../registry.ts';
import { openPayPalAccounts } from './account.ts';
import { PAYPAL_CURRENCIES, payPalStepOf, toPayPalMoney } from './amounts.ts';
import { listPayPalRefunds, type OrderNames, openPayPalBooks } from './books.ts';
import { createPayPalClients, type PayPalClient, type PayPalOptions } from './client.ts';
import { DECLINES, TAKEN_BEFORE, toDeclined, toRefused } from './declines.ts';
import { lookUpPayPalDisputes } from './disputes.ts';
import { isRefusedFor, PayPalFailure } from './failure.ts';
import type { Marked, MarkStore } from './marks.ts';
import { listPayPalNotifications, readPayPalNotification } from './notifications.ts';
import { captureOrder, createOrder, readOrder } from './orders.ts';
import { type Moment, toAction, toKept, toOutcome, toSucceeded } from './outcome.ts';
import { refundOrder } from './refunds.ts';
import {
  createSetup,
  describePayer,
  detachPayer,
  findPayPalCustomer,
  keepPayer,
  parseReference,
  readSetup,
  SETUP,
} from './vault.ts';

export const PAYPAL = 'paypal';
/** A payer who is kept already, and pays nothing now: there is nothing to ask PayPal for. */
const KEPT = 'kept_';

export interface PayPalKindOptions extends PayPalOptions {
  marks: MarkStore;
}

interface Account {
  client: PayPalClient;
  marks: MarkStore;
  connectionId: string;
}

export function createPayPalKind({ marks, ...options }: PayPalKindOptions): ProcessorKind {
  const openClient = createPayPalClients(options);
  const names: OrderNames = new Map();
  return {
    name: PAYPAL,
    capabilities: { methods: ['redirect'], types: [PAYPAL], currencies: PAYPAL_CURRENCIES, sources: null },
    judgeAmount: (money) => ({ kind: toPayPalMoney(money) ? 'fits' : 'not_chargeable' }),
    stepOf: payPalStepOf,
    accounts: openPayPalAccounts(openClient, options),
    open: (connection, gate) =>
      openAccount(connection, { openClient, marks, names, gate, realNowMs: options.realNowMs }),
  };
}

interface Opening {
  openClient: ReturnType<typeof createPayPalClients>;
  marks: MarkStore;
  names: OrderNames;
  gate: CallGate | undefined;
  realNowMs: () => number;
}

function openAccount(
  { id: connectionId, credentials, scope }: OpenedConnection,
  { openClient, marks, names, gate, realNowMs }: Opening,
): PaymentProvider {
  // Without credentials each call fails as it would with wrong ones.
  const { clientId = 'none', clientSecret = 'none' } = credentials ?? {};
  const client = openClient({ clientId, clientSecret }, scope.testMode, gate);
  const account = { client, marks, connectionId };
  return {
    name: PAYPAL,
    prepare: (request) => prepare(client, request),
    charge: (request) => charge(account, request),
    lookUp: (reference) => lookUp(account, reference),
    cancel: (reference) => cancel(account, reference),
    refund: (request) => refundOrder(client, request),
    listRefundsOf: async ({ processorId: id }) =>
      id === null || id.startsWith(SETUP) || id.startsWith(KEPT) ? [] : listPayPalRefunds(client, id),
    findCustomer: (customerId) => findPayPalCustomer(client, customerId),
    describeMethod: (asked) => describePayer(client, asked),
    detachMethod: (reference) => detachPayer(client, reference),
    check: async () => void (await client.ask({ method: 'GET', path: '/v1/notifications/webhooks' })),
    readNotification: (raw) => readPayPalNotification(client, raw),
    listNotifications: (asked) => listPayPalNotifications(client, asked, realNowMs()),
    books: openPayPalBooks({ client, names, realNowMs }),
    lookUpDisputes: (reference) => lookUpPayPalDisputes(client, reference, scope.testMode),
  };
}

async function prepare(client: PayPalClient, request: ChargeRequest): Promise<PrepareOutcome> {
  const { method, amountMinor, chargeId } = request;
  if (method.kind !== 'redirect' && method.kind !== 'stored')
    return { kind: 'invalid', field: 'token', message: 'is no payment by PayPal' };
  if (method.kind === 'stored' && parseReference(method.reference) === null)
    return toDeclined(null, { decline: 'hard', reason: 'unknown_payment_method' });
  if (amountMinor === 0n) {
    const isKept = method.kind === 'stored';
    return {
      kind: 'prepared',
      processorId: isKept ? `${KEPT}${chargeId}` : await createSetup(client, request),
    };
  }
  try {
    const processorId = await createOrder(client, request);
    return processorId === null ? toUnchargeable() : { kind: 'prepared', processorId };
  } catch (error) {
    if (isRefusedFor(error, UNFIT)) return toUnchargeable();
    throw error;
  }
}

const UNFIT: ReadonlySet<string> = new Set([
  ...['CURRENCY_NOT_SUPPORTED', 'DECIMALS_NOT_SUPPORTED', 'MAX_VALUE_EXCEEDED', 'CANNOT_BE_ZERO_OR_NEGATIVE'],
]);

function toUnchargeable(): DeclinedCharge {
  return {
    ...toDeclined(null, { decline: 'hard', reason: 'amount_not_chargeable' }),
    message: 'The amount cannot be charged in this currency.',
  };
}

async function charge(account: Account, request: PreparedRequest): Promise<ChargeOutcome> {
  const { processorId: id, method, nowMs, currency } = request;
  const vaultId = method.kind === 'stored' ? parseReference(method.reference) : null;
  const isFit = id !== null && (method.kind === 'redirect' || vaultId !== null);
  if (!isFit) return { kind: 'invalid', field: 'token', message: 'is no payment by PayPal' };
  if (id.startsWith(KEPT)) return toKept(id, method.kind === 'stored' ? method.reference : '', currency);
  const mark = await account.marks.find(toMarked(account, request, id));
  if (mark?.state === 'closed') return toDeclined(id, mark.refused);
  if (id.startsWith(SETUP)) return keep(account, { ...request, id });
  if (vaultId !== null) return capture(account, { ...request, id, vaultId });
  const found = await readOrder(account.client, id);
  if (!found) return { kind: 'unknown', lookAgainAtMs: null };
  const outcome = toOutcome(found, { nowMs, expectedByMs: null });
  if (outcome.kind === 'ready') return capture(account, { ...request, id, vaultId: null });
  return outcome.kind === 'absent' ? { kind: 'unknown', lookAgainAtMs: null } : outcome;
}

type Taking = PreparedRequest & { id: string };

/** The first mark decides: what is cancelled by then is not taken, what is begun by then is not cancelled. */
async function capture(
  account: Account,
  request: Taking & { vaultId: string | null },
): Promise<ChargeOutcome> {
  const { id, chargeId, vaultId, sendByRealMs, nowMs } = request;
  const of = toMarked(account, request, id);
  const mark = await account.marks.put(of, 'begun');
  if (mark.state === 'closed') return toDeclined(id, mark.refused);
  const moment = { nowMs, expectedByMs: null };
  try {
    const taken = await captureOrder(account.client, { id, chargeId, vaultId, sendByRealMs });
    return toStanding(toOutcome(taken, moment));
  } catch (error) {
    if (isRefusedFor(error, TAKEN_BEFORE)) return readTaken(account.client, id, moment);
    const issue = error instanceof PayPalFailure ? error.facts.issue : null;
    if (issue === null || !isRefusedFor(error, DECLINES)) throw error;
    const refused = toRefused(issue);
    await account.marks.close(of, refused);
    return toDeclined(id, refused);
  }
}

async function readTaken(client: PayPalClient, id: string, moment: Moment): Promise<ChargeOutcome> {
  const order = await readOrder(client, id);
  return order ? toStanding(toOutcome(order, moment)) : { kind: 'unknown', lookAgainAtMs: null };
}

function toStanding(outcome: LookUpOutcome): ChargeOutcome {
  const isNone = outcome.kind === 'absent' || outcome.kind === 'ready' || outcome.kind === 'no_answer';
  return isNone ? { kind: 'unknown', lookAgainAtMs: null } : outcome;
}

/** Without a payment. */
async function keep(account: Account, request: Taking): Promise<ChargeOutcome> {
  const { id, chargeId, currency, sendByRealMs } = request;
  const setup = await readSetup(account.client, id);
  if (!setup) return { kind: 'unknown', lookAgainAtMs: null };
  const isApproved = setup.status === 'APPROVED' || setup.status === 'VAULTED';
  if (!isApproved)
    return setup.payerUrl ? toAction(id, setup.payerUrl) : { kind: 'unknown', lookAgainAtMs: null };
  const mark = await account.marks.put(toMarked(account, request, id), 'begun');
  if (mark.state === 'closed') return toDeclined(id, mark.refused);
  return toKept(id, await keepPayer(account.client, { setupId: id, chargeId, sendByRealMs }), currency);
}

async function lookUp(account: Account, reference: LookUpReference): Promise<LookUpOutcome> {
  const { processorId: id, nowMs, expectedByMs } = reference;
  // Nobody was asked for it, and the same charge again answers at once.
  if (id === null || id.startsWith(KEPT)) return { kind: 'absent' };
  const mark = await account.marks.find(toMarked(account, reference, id));
  if (mark?.state === 'closed') return toDeclined(id, mark.refused);
  if (id.startsWith(SETUP)) {
    const setup = await readSetup(account.client, id);
    if (!setup) return { kind: 'absent' };
    const isApproved = setup.status === 'APPROVED' || setup.status === 'VAULTED';
    if (isApproved) return { kind: 'ready', processorId: id };
    return setup.payerUrl ? toAction(id, setup.payerUrl) : { kind: 'absent' };
  }
  const order = await readOrder(account.client, id);
  return order ? toOutcome(order, { nowMs, expectedByMs }) : { kind: 'absent' };
}

/** PayPal knows no cancelling: from its mark on nobody of us takes the money. */
async function cancel(account: Account, reference: ChargeReference): Promise<CancelOutcome> {
  const { processorId: id } = reference;
  if (id === null || id.startsWith(KEPT)) return { kind: 'cancelled' };
  const mark = await account.marks.put(toMarked(account, reference, id), 'closed');
  if (mark.state === 'closed') return { kind: 'cancelled' };
  const isSetup = id.startsWith(SETUP);
  const order = isSetup ? null : await readOrder(account.client, id);
  if (!isSetup && !order) return { kind: 'cancelled' };
  const outcome = order && toOutcome(order, { nowMs: reference.nowMs, expectedByMs: null });
  const taken = order && outcome?.kind === 'succeeded' ? toSucceeded(order) : null;
  if (taken) return { kind: 'taken', outcome: taken };
  // A capture may be under way, or a bank is deciding on it.
  return outcome?.kind === 'declined' ? { kind: 'cancelled' } : { kind: 'refused' };
}

function toMarked(
  { connectionId }: Account,
  { scope }: Pick<ChargeReference, 'scope'>,
  objectId: string,
): Marked {
  return { scope, connectionId, objectId };
}
