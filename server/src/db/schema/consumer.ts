/** What consumers agreed to and stated: written once and never changed; how it stands lies beside it. */
import type { Defaulted, Json, Scoped } from './columns.ts';

export interface ConsumerTables {
  consents: ConsentsTable;
  withdrawals: WithdrawalsTable;
  cancellationNotices: CancellationNoticesTable;
}

/** Never changed but for `confirmedAt`, which is written once. */
export interface ConsentsTable extends Scoped {
  id: string;
  orderId: string;
  kind: 'content' | 'service';
  text: string;
  textVersion: string;
  language: string;
  givenAt: number;
  orderNumber: string;
  email: string;
  sha256: string;
  confirmedAt: number | null;
}

export interface WithdrawalsTable extends Scoped {
  id: string;
  number: string;
  /** The secret of its confirmation's address. */
  token: string;
  /** As it was typed, like all down to `items`. */
  orderNumber: string;
  part: string | null;
  name: string;
  email: string;
  /** Ids of the items that were ticked; null = the whole order. */
  items: Json<string[]> | null;
  source: 'page' | 'portal';
  language: string;
  receivedAt: number;
  sha256: string;
  /** From here on: how it stands. */
  acknowledgedAt: number | null;
  orderId: string | null;
  userId: string | null;
  status: Defaulted<'received' | 'unmatched' | 'stopped' | 'refunded' | 'refused'>;
  reason: 'late' | 'waived' | 'business' | 'excluded' | 'elsewhere' | 'other' | null;
  refundIds: Defaulted<string[]>;
  /** What the merchant said with their decision. */
  note: string | null;
  /** When it takes effect by itself; null = it waits for the merchant, or has taken effect. */
  effectAt: number | null;
  /** The days after its receipt on which the owner was reminded last. */
  warnedDays: Defaulted<number>;
  decidedAt: number | null;
}

export interface CancellationNoticesTable extends Scoped {
  id: string;
  number: string;
  token: string;
  type: 'ordinary' | 'cause';
  statedReason: string | null;
  name: string;
  email: string;
  contractNumber: string;
  endDate: number | null;
  source: 'page' | 'portal';
  language: string;
  receivedAt: number;
  sha256: string;
  /** From here on: how it stands. */
  acknowledgedAt: number | null;
  subscriptionId: string | null;
  userId: string | null;
  status: Defaulted<'received' | 'unmatched' | 'done' | 'refused'>;
  note: string | null;
  /** When it is looked at next for an end that lies ahead. */
  effectAt: number | null;
  warnedDays: Defaulted<number>;
  decidedAt: number | null;
}
