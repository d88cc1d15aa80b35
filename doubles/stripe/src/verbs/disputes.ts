import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { mergeMetadata } from '../api/check-params.ts';
import { isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { blankEvidence } from '../objects/blank.ts';
import { type Account, accountOf, find, insert, listRows, type Row, save } from '../world/rows.ts';
import { type Call, hash } from './call.ts';
import { move, toDisputeFee } from './ledger.ts';

type Dispute = Row<Stripe.Dispute>;

const DAYS_TO_ANSWER_S = 9 * 86_400;
const ENDED = ['lost', 'prevented', 'warning_closed', 'won'];
/** The merchant has what was disputed: it was never taken, or has come back. */
const MONEY_BACK = ['prevented', 'warning_closed', 'warning_needs_response', 'warning_under_review', 'won'];

export function openDispute(world: World, args: Record<string, unknown>): Dispute | null {
  const charge = world.store.get<Row<Stripe.Charge>>('charge', String(args.charge));
  // A bank disputes what was taken.
  if (charge?.data.status !== 'succeeded') return null;
  const account = accountOf(world, charge);
  const status = String(args.status ?? 'needs_response');
  const share = Number(args.share ?? 1);
  const amount = args.amount === undefined ? Math.round(charge.data.amount * share) : Number(args.amount);
  const card = charge.data.payment_method_details?.card;
  const dispute = insert(world, 'dispute', account, {
    id: world.id('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.data.id,
    created: world.now,
    currency: charge.data.currency,
    enhanced_eligibility_types: [],
    evidence: blankEvidence(),
    evidence_details: {
      due_by: world.now + DAYS_TO_ANSWER_S,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: 'manual',
    is_charge_refundable: status.startsWith('warning_'),
    livemode: account.isLive,
    metadata: {},
    network_reason_code: card ? '10.4' : null,
    payment_intent: charge.data.payment_intent,
    ...(card
      ? {
          payment_method_details: {
            card: {
              brand: card.brand ?? 'visa',
              case_type: status.startsWith('warning_') ? 'inquiry' : 'chargeback',
              network: card.network ?? 'visa',
              network_reason_code: '10.4',
            },
            type: 'card',
          },
        }
      : {}),
    reason: String(args.reason ?? 'fraudulent'),
    status: status as Stripe.Dispute.Status,
  });
  charge.data.disputed ||= !status.startsWith('warning_');
  save(world, 'charge', charge);
  emit(world, account, 'charge.dispute.created', dispute.data);
  if (!status.startsWith('warning_')) withdraw(world, account, dispute);
  return dispute;
}

function withdraw(world: World, account: Account, dispute: Dispute): void {
  if (dispute.data.balance_transactions.length > 0) return;
  addMovement(world, account, dispute, -dispute.data.amount, toDisputeFee());
  emit(world, account, 'charge.dispute.funds_withdrawn', dispute.data);
}

function addMovement(world: World, account: Account, dispute: Dispute, amount: number, fee: number): void {
  const movement = move(world, account, {
    type: 'adjustment',
    category: amount < 0 ? 'dispute' : 'dispute_reversal',
    amount,
    currency: dispute.data.currency,
    source: dispute.data.id,
    description: amount < 0 ? 'Chargeback withdrawal' : 'Chargeback reversal',
    feeMinor: fee,
    isAvailableAtOnce: true,
  });
  dispute.data.balance_transactions.push(movement.data);
  save(world, 'dispute', dispute);
}

/** To a stage of its life; what is withdrawn or given back goes with it. */
export function moveDispute(world: World, dispute: Dispute, status: Stripe.Dispute.Status): void {
  const account = accountOf(world, dispute);
  const old = dispute.data.status;
  if (old === status) return;
  const wasInquiry = old.startsWith('warning_');
  dispute.data.status = status;
  dispute.data.is_charge_refundable = status.startsWith('warning_');
  const charge = find(world, 'charge', account, String(dispute.data.charge));
  if (!status.startsWith('warning_')) charge.data.disputed = true;
  save(world, 'charge', charge);
  save(world, 'dispute', dispute);
  const needsMoney = ['lost', 'needs_response', 'under_review', 'won'].includes(status);
  if (needsMoney && (wasInquiry || status !== 'won')) withdraw(world, account, dispute);
  if (status === 'won' && dispute.data.balance_transactions.length === 1) {
    addMovement(world, account, dispute, dispute.data.amount, 0);
    emit(world, account, 'charge.dispute.funds_reinstated', dispute.data);
  }
  emit(
    world,
    account,
    ENDED.includes(status) ? 'charge.dispute.closed' : 'charge.dispute.updated',
    dispute.data,
    {
      status: old,
    },
  );
}

export function updateDispute({ world, account, ids, params }: Call): Stripe.Dispute {
  const dispute = find(world, 'dispute', account, String(ids[0]));
  const { data } = dispute;
  const evidence = hash(params, 'evidence');
  if ((evidence || params.submit === true) && ENDED.includes(data.status)) throw isClosed(data);
  data.metadata = mergeMetadata(data.metadata, params.metadata);
  if (evidence) {
    Object.assign(data.evidence, evidence);
    data.evidence_details.has_evidence = true;
  }
  save(world, 'dispute', dispute);
  // What was laid down before goes to the bank by a later call that says so.
  const isSent = evidence ? params.submit !== false : params.submit === true && hasStaged(data);
  if (!isSent) {
    emit(world, account, 'charge.dispute.updated', data);
    return data;
  }
  data.evidence_details.submission_count += 1;
  data.evidence_details.submission_method = 'manual';
  const text = data.evidence.uncategorized_text;
  const isInquiry = data.status.startsWith('warning_');
  if (text === 'winning_evidence') moveDispute(world, dispute, isInquiry ? 'warning_closed' : 'won');
  else if (text === 'losing_evidence') moveDispute(world, dispute, 'lost');
  else moveDispute(world, dispute, isInquiry ? 'warning_under_review' : 'under_review');
  return data;
}

function hasStaged({ evidence_details: details }: Stripe.Dispute): boolean {
  return details.has_evidence && details.submission_count === 0;
}

export function closeDispute({ world, account, ids }: Call): Stripe.Dispute {
  const dispute = find(world, 'dispute', account, String(ids[0]));
  if (ENDED.includes(dispute.data.status)) throw isClosed(dispute.data);
  moveDispute(world, dispute, 'lost');
  return dispute.data;
}

function isClosed(data: Stripe.Dispute): Error {
  return isRefused(`This dispute is already closed: it has a status of ${data.status}.`, { param: 'id' });
}

export function openDisputeOf(world: World, account: Account, charge: string): Dispute | undefined {
  return listRows(world, 'dispute', account).find(
    ({ data }) => data.charge === charge && !ENDED.includes(data.status),
  );
}

/** Refused by Stripe as long as the bank has the money: what was won came back, and is given back as any other. */
export function isChargedBack(world: World, account: Account, charge: string): boolean {
  return listRows(world, 'dispute', account).some(
    ({ data }) => data.charge === charge && !MONEY_BACK.includes(data.status),
  );
}

export function warn(world: World, args: Record<string, unknown>): void {
  const charge = world.store.get<Row<Stripe.Charge>>('charge', String(args.charge));
  if (!charge) return;
  const account = accountOf(world, charge);
  const warning = insert(world, 'early_fraud_warning', account, {
    id: world.id('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.data.id,
    created: world.now,
    fraud_type: 'made_with_stolen_card',
    livemode: account.isLive,
    payment_intent: String(charge.data.payment_intent),
  });
  emit(world, account, 'radar.early_fraud_warning.created', warning.data);
}
