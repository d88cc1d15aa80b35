/** What a buyer's bank takes back: it says so a day after the charge, and has the money a week later. */
import { type Books, check, DAY_MS, DELAY_MS, iso, type Payment } from './books.ts';

const OPENS_MS = DAY_MS;
const LASTS_MS = 7 * DAY_MS;
/** The bank counts from when it was asked by a request that had begun a little before. */
const ASKED_MS = 60_000;

interface Dispute {
  payment: Payment;
  /** Place of its charge among the charges. */
  charge: number;
  createdAt: number;
  settledAt: number;
  isOpen: boolean;
}

export interface Disputed {
  at: number;
  payment: Payment;
  /** `nothing` = all had been given back by then. */
  what: 'opened' | 'lost' | 'nothing';
}

type Taken = Pick<Dispute, 'payment' | 'charge' | 'createdAt' | 'settledAt'>;

export class Disputes {
  private readonly all = new Set<Dispute>();

  /** Money that its bank will ask back. */
  await(taken: Taken): void {
    this.all.add({ ...taken, isOpen: false });
  }

  isOpen(payment: Payment): boolean {
    return [...this.all].some((dispute) => dispute.isOpen && dispute.payment === payment);
  }

  /** When one of them moves on next, by the store if it has, and by its latest moment if not. */
  nextAt(books: Books): number | null {
    return this.next(books)?.at ?? null;
  }

  take(books: Books): Disputed {
    const next = this.next(books);
    check(next !== null, 'a dispute moves on');
    const { dispute, at, actual } = next;
    const { payment, createdAt } = dispute;
    const left = payment.value - payment.refunded;
    if (dispute.isOpen) {
      this.all.delete(dispute);
      check(actual?.status === 'lost', 'a dispute is lost in time', { at: iso(at), actual });
      check(at >= createdAt + OPENS_MS + LASTS_MS - ASKED_MS, 'a dispute lasts a week', {
        createdAt: iso(createdAt),
      });
      return { at, payment, what: 'lost' };
    }
    if (actual === undefined) {
      this.all.delete(dispute);
      check(left === 0, 'money is disputed in time', { at: iso(at), left });
      return { at, payment, what: 'nothing' };
    }
    check(actual.amount === left, 'all that is left is disputed', { left, actual });
    check(at >= createdAt + OPENS_MS - ASKED_MS, 'money is not disputed too early', {
      createdAt: iso(createdAt),
    });
    dispute.isOpen = true;
    return { at, payment, what: 'opened' };
  }

  private next(books: Books) {
    const all = [...this.all].map((dispute) => {
      const actual = books.disputes.find(({ charge }) => charge === dispute.charge);
      const seenAt = dispute.isOpen ? actual?.closedAt : actual?.openedAt;
      const dueAt = dispute.settledAt + OPENS_MS + (dispute.isOpen ? LASTS_MS : 0);
      return { dispute, actual, at: seenAt ?? dueAt + DELAY_MS };
    });
    return all.toSorted((a, b) => a.at - b.at)[0] ?? null;
  }
}
