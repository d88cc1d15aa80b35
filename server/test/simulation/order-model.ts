/** What an order says: its first payment, or what the merchant has written over it. */
import type { OrderAmounts, Payment } from './books.ts';

export interface Correction extends Partial<OrderAmounts> {
  status?: string;
}

/** From here a refund leads on; elsewhere an order is by the merchant's word alone. */
const FOLLOWING = ['PAID', 'PARTIALLY_REFUNDED', 'CANCELLED'];

export class OrderModel {
  status = 'PAID';
  refundedValue = 0;
  amounts: OrderAmounts;

  constructor(amounts: OrderAmounts) {
    this.amounts = amounts;
  }

  get canBeCancelled(): boolean {
    return this.status !== 'REFUNDED';
  }

  /** The first payment is given back, in part or all of it. */
  follow({ status, refunded }: Payment): void {
    this.refundedValue = refunded;
    if (FOLLOWING.includes(this.status)) this.status = status;
  }

  /** Whether a paid order may be called so. */
  accepts({ status, ...amounts }: Correction, first: Payment, isDisputed: boolean): boolean {
    if (first.value > 0 && !this.leavesMoneyAlone(amounts)) return false;
    if (status === undefined || status === this.status) return true;
    if (this.status === 'REFUNDED' || status === 'PARTIALLY_REFUNDED') return false;
    if (status !== 'REFUNDED' || first.status === 'REFUNDED') return true;
    return first.value > 0 && !isDisputed;
  }

  /** Once money was taken it has its currency, and what went back of it was there. */
  private leavesMoneyAlone({ currency, value }: Partial<OrderAmounts>): boolean {
    return (currency ?? 'EUR') === 'EUR' && (value ?? this.refundedValue) >= this.refundedValue;
  }

  /** Of the record alone; a refund of what is left comes before the word for it. */
  correct({ status, ...amounts }: Correction): void {
    this.amounts = { ...this.amounts, ...amounts };
    if (status !== undefined) this.status = status;
  }
}
