/** What the world outside does to an object: a bank answers, a buyer disputes, a card is renewed. */
import type Stripe from 'stripe';
import { BadCall, type Body, isCount, isHash, need, onlyKnows } from '../../../core/checks.ts';
import type { World } from '../../../core/world.ts';
import { ApiError } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { authenticate } from '../verbs/authenticate.ts';
import { moveDispute, openDispute, openDisputeOf } from '../verbs/disputes.ts';
import { failPayout } from '../verbs/ledger.ts';
import { failRefund, settleRefund } from '../verbs/refunds.ts';
import { answerOfBank } from '../verbs/take.ts';
import { type Account, accountOf, type Kind, type Row, toKind } from '../world/rows.ts';

type AnyRow = Row<Record<string, unknown> & { id: string }>;

/** Stages by our words. */
const STAGES: Readonly<Record<string, Stripe.Dispute.Status>> = {
  inquiry: 'warning_needs_response',
  open: 'needs_response',
  won: 'won',
  lost: 'lost',
  none: 'warning_closed',
};

export function actOn(world: World, id: string, verb: string, body: Body): object {
  const kind = toKind(id);
  const row = kind ? world.store.get<AnyRow>(kind, id) : undefined;
  if (!kind || !row) throw new BadCall(`no object ${id}`);
  world.begin(`control ${world.count('control')}`);
  if (verb === 'settle') return answer(world, kind, row, body, true);
  if (verb === 'fail') return answer(world, kind, row, body, false);
  if (verb === 'dispute') return dispute(world, kind, row, body);
  if (verb === 'return') {
    onlyKnows(body, []);
    need(kind === 'refund', 'only a refund is returned');
    failRefund(world, row as unknown as Row<Stripe.Refund>);
    return row.data;
  }
  if (verb === 'update') return update(world, kind, row, body);
  throw new BadCall(`unknown call ${verb}`);
}

function answer(world: World, kind: Kind, row: AnyRow, body: Body, isPaid: boolean): object {
  onlyKnows(body, isPaid ? [] : ['code']);
  if (kind === 'refund') {
    const refund = row as unknown as Row<Stripe.Refund>;
    if (isPaid) settleRefund(world, refund);
    else failRefund(world, refund);
    return row.data;
  }
  if (kind === 'payout' && !isPaid) {
    failPayout(world, row as unknown as Row<Stripe.Payout>);
    return row.data;
  }
  const intent = toIntent(world, kind, row);
  const { status } = intent.data;
  need(
    status === 'processing' || status === 'requires_action',
    `${intent.data.id} waits for nobody: ${status}`,
  );
  if (status === 'processing') {
    const code = body.code === undefined ? null : { code: String(body.code) };
    answerOfBank(world, intent as Row<Stripe.PaymentIntent>, isPaid, code);
  } else {
    quietly(() => authenticate(world, intent, isPaid));
  }
  return kind === 'charge' ? row.data : intent.data;
}

/** A refusal is what was asked for, and lies in the object. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function toIntent(
  world: World,
  kind: Kind,
  row: AnyRow,
): Row<Stripe.PaymentIntent> | Row<Stripe.SetupIntent> {
  if (kind === 'payment_intent') return row as unknown as Row<Stripe.PaymentIntent>;
  if (kind === 'setup_intent') return row as unknown as Row<Stripe.SetupIntent>;
  const payment = kind === 'charge' ? String(row.data.payment_intent) : '';
  const intent = world.store.get<Row<Stripe.PaymentIntent>>('payment_intent', payment);
  need(intent !== undefined, `${row.data.id} cannot be settled or failed`);
  return intent;
}

function dispute(world: World, kind: Kind, row: AnyRow, body: Body): object {
  onlyKnows(body, ['stage', 'amount', 'reason']);
  const stage = String(body.stage ?? 'open');
  const status = STAGES[stage];
  need(status !== undefined, `stage must be one of ${Object.keys(STAGES).join(', ')}`);
  need(
    body.amount === undefined || (isCount(body.amount) && body.amount > 0),
    'amount must be a whole number from 1',
  );
  if (kind === 'dispute') {
    const known = row as unknown as Row<Stripe.Dispute>;
    need(mayBecome(known.data, status), `${known.data.id} is no inquiry any more`);
    moveDispute(world, known, status);
    return known.data;
  }
  const charge =
    kind === 'charge' ? row.data.id : kind === 'payment_intent' ? String(row.data.latest_charge) : null;
  need(charge !== null && charge !== 'null', `${row.data.id} has no charge`);
  const known = openDisputeOf(world, accountOf(world, row), charge);
  const isNew = !known || known.data.status === status || !mayBecome(known.data, status);
  const opened = isNew
    ? openDispute(world, {
        charge,
        status: stage === 'inquiry' || stage === 'none' ? 'warning_needs_response' : 'needs_response',
        ...(body.amount === undefined ? {} : { amount: body.amount }),
        ...(body.reason === undefined ? {} : { reason: body.reason }),
      })
    : known;
  need(opened !== null, `${row.data.id} has no charge that took money`);
  // An inquiry has moved no money: it may become a dispute of another sum.
  if (isCount(body.amount) && opened.data.balance_transactions.length === 0) opened.data.amount = body.amount;
  moveDispute(world, opened, status);
  return opened.data;
}

/** What has taken the money is no inquiry again. */
function mayBecome({ status }: Stripe.Dispute, next: Stripe.Dispute.Status): boolean {
  return status.startsWith('warning_') || !next.startsWith('warning_');
}

/** What each change of a method or mandate from outside is told as. */
function update(world: World, kind: Kind, row: AnyRow, body: Body): object {
  const account = accountOf(world, row);
  merge(row.data, body);
  world.store.put(kind, row.data.id, row);
  tell(world, account, kind, row, body);
  return row.data;
}

function merge(target: Record<string, unknown>, changes: Body): void {
  for (const [name, value] of Object.entries(changes)) {
    const old = target[name];
    if (isHash(value) && isHash(old)) merge(old, value);
    else target[name] = value;
  }
}

function tell(world: World, account: Account, kind: Kind, row: AnyRow, body: Body): void {
  if (kind === 'payment_method' && body.customer === null) {
    row.hidden.isDetached = true;
    emit(world, account, 'payment_method.detached', row.data);
  } else if (kind === 'payment_method')
    emit(world, account, 'payment_method.automatically_updated', row.data);
  if (kind === 'mandate') emit(world, account, 'mandate.updated', row.data);
}
