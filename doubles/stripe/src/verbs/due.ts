/** What happens by itself, by the name under which it waits. */
import type Stripe from 'stripe';
import type { DueVerbs } from '../../../core/world.ts';
import type { Row } from '../world/rows.ts';
import { openDispute, warn } from './disputes.ts';
import { payOut } from './ledger.ts';
import { failRefund, settleRefund } from './refunds.ts';
import { answerOfBankLater } from './take.ts';

export const DUE_VERBS: DueVerbs = {
  bankAnswer: answerOfBankLater,
  dispute: (world, args) => void openDispute(world, args),
  payOut,
  warn,
  settleRefund: (world, args) => {
    const refund = world.store.get<Row<Stripe.Refund>>('refund', String(args.refund));
    if (refund) settleRefund(world, refund);
  },
  failRefund: (world, args) => {
    const refund = world.store.get<Row<Stripe.Refund>>('refund', String(args.refund));
    if (refund) failRefund(world, refund);
  },
};
