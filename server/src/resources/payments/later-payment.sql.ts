/** What is written of a later payment and of its charge, by one statement as well as apart. */
import type { Insertable, Updateable } from 'kysely';
import type { PaymentLinesTable, PaymentsTable } from '../../db/schema/payments.ts';
import type { SubscriptionsTable } from '../../db/schema/subscriptions.ts';

type New<Table> = Omit<Insertable<Table>, 'workspaceId' | 'testMode'>;

export interface NewLaterPayment {
  lines: Array<New<PaymentLinesTable>>;
  payment: Omit<New<PaymentsTable>, 'number' | 'orderNumber'>;
  /** What changes of the subscription with it. */
  subscription: Updateable<SubscriptionsTable> & { id: string };
}

export interface NewStoredCharge {
  id: string;
  paymentId: string;
  amount: bigint;
  currency: string;
  /** Null = the subscription has none. */
  methodId: string | null;
  /** The name that stands for a processor where there is no method. */
  noProcessor: string;
  createdAt: number;
}

export interface ChargedMethod {
  processor: string;
  connectionId: string | null;
  /** What the processor knows the method by; null without one. */
  reference: string | null;
}
