/**
 * Stripe's stand-in as the processor that a course's renewals are charged over: how it is connected and what is sold over
 * it, the faults that its answers meet, and its books held against ours.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { startStripeDouble } from '../support/stripe-double.ts';
import type { Shop } from './renewing-shop.ts';

export interface TillOptions {
  seed: number;
  /** Of all calls, that meet each of the faults. */
  share: number;
  /** PROCESSOR_TIMEOUT_MS; an answer that stalls takes twice as long. */
  timeoutMs: number;
  /** PROCESSOR_RATE. */
  rate: string;
}

export interface Till {
  /** For every process of the service. */
  env: Record<string, string>;
  /** What a purchase over it has besides. */
  connect(shop: Shop): Promise<Record<string, unknown>>;
  /** From here on its answers meet faults. */
  disturb(): Promise<void>;
  heal(): Promise<void>;
  /** As somebody does who wants to know whether it is well again. */
  check(shop: Shop): Promise<void>;
  /** One of its own for a test; answers its id. */
  addFault(match: object, doing: object): Promise<string>;
  removeFault(id: string): Promise<void>;
  /** Time goes by there. */
  pass(byMs: number): Promise<void>;
  /** Every call of the API, in the order in which they came. */
  listCalls(): Promise<Array<{ at: number; status: number }>>;
  /** How often money was asked for by these charges. */
  countConfirms(chargeIds: readonly string[]): Promise<number>;
  /** Whatever its books and ours do not agree about. */
  findFaults(shop: Shop, figures: Figures): Promise<string[]>;
  close(): Promise<void>;
}

type Figures = Record<string, number>;

/** Each of them meets the same share of all calls, also of those that only read. */
const WAYS: ReadonlyArray<Record<string, unknown>> = [
  { drop: 'after' },
  { status: 500, effect: true },
  { status: 500, effect: false },
  { status: 409, code: 'idempotency_key_in_use' },
];
/** The two that a status of 429 has, by half of the share. */
const LIMITED = ['lock_timeout', 'rate_limit'].map((code) => ({ status: 429, code }));

interface Books {
  charges: Record<string, { taken: number; refunded: number; disputed: number; currency: string }>;
  balance: Record<string, number>;
  calls: Array<{ endpoint: string; key: string | null; count: number }>;
}

const CONFIRM = 'POST /v1/payment_intents/*/confirm';

export async function openStripeTill({ seed, share, timeoutMs, rate }: TillOptions): Promise<Till> {
  const double = await startStripeDouble({ seed: String(seed) });
  const account = await double.openAccount();
  const faults: string[] = [];
  let processorId = '';

  const addFault = async (match: object, doing: object) => {
    const body = { match: { account: account.id, ...match }, do: doing };
    return (await double.control<{ id: string }>('POST /faults', body)).id;
  };
  const removeFault = async (id: string) => void (await double.control(`DELETE /faults/${id}`));
  const readBooks = () => double.control<Books>(`GET /books?account=${account.id}`);

  return {
    env: {
      STRIPE_API_URL: double.apiUrl,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      PROCESSOR_TIMEOUT_MS: String(timeoutMs),
      PROCESSOR_RATE: rate,
    },
    async connect(shop) {
      const { secretKey, publishableKey } = account;
      const { processor } = await shop.ask('POST', '/v0/processors/connect', {
        ...{ kind: 'stripe', name: 'Cards', credentials: { secretKey, publishableKey } },
      });
      processorId = processor.id;
      // What is told helps: without it the looks have to find out everything.
      await double.control('POST /events', { deliver: 'never' });
      return { processorId, paymentMethod: 'pm_card_visa' };
    },
    async disturb() {
      const ways = [...WAYS, { stallMs: timeoutMs * 2 }].map((doing) => ({ ofAll: share, doing }));
      const limited = LIMITED.map((doing) => ({ ofAll: share / 2, doing }));
      for (const { ofAll, doing } of [...ways, ...limited])
        faults.push(await addFault({ share: ofAll }, doing));
    },
    async heal() {
      for (const id of faults.splice(0)) await removeFault(id);
    },
    addFault,
    removeFault,
    pass: async (byMs) => void (await double.control('POST /clock', { byMs })),
    listCalls: () => double.control('GET /journal'),
    async countConfirms(chargeIds) {
      const { calls } = await readBooks();
      return calls
        .filter(
          ({ endpoint, key }) => endpoint === CONFIRM && chargeIds.includes(String(key).split(':')[0] ?? ''),
        )
        .reduce((sum, { count }) => sum + count, 0);
    },
    async check(shop) {
      await shop.ask('POST', `/v0/processors/${processorId}/check`, {});
    },
    async findFaults(shop, figures) {
      const books = await readBooks();
      const wrong = await compareCharges(shop, figures, books);
      return [...wrong, ...(await compareSums(shop, figures, { processorId, books }))];
    },
    close: double.close,
  };
}

/** Every taking there is a charge that has succeeded here, by its own id and of the same sum. */
async function compareCharges(shop: Shop, figures: Figures, { charges }: Books): Promise<string[]> {
  const rows = await shop.query<{ id: string; amount: number; currency: string }>(
    `select id, amount::int as amount, lower(currency) as currency from charges where status = 'succeeded' and amount > 0`,
  );
  const ours = new Map(rows.map(({ id, amount, currency }) => [id, `${amount} ${currency}`]));
  const taken = Object.entries(charges).filter(([, sums]) => sums.taken > 0);
  const theirs = new Map(taken.map(([id, sums]) => [id, `${sums.taken} ${sums.currency}`]));
  figures['taken there'] = taken.length;
  const unknown = [...theirs].filter(([id, sum]) => ours.get(id) !== sum);
  const missing = [...ours].filter(([id]) => !theirs.has(id));
  return [
    ...unknown.map(([id, sum]) => `${sum} were taken there by ${id}, here ${ours.get(id) ?? 'nothing'}`),
    ...missing.map(([id, sum]) => `${sum} of ${id} were not taken there`),
    ...taken.filter(([, { refunded, disputed }]) => refunded + disputed > 0).map(([id]) => `${id} went back`),
  ];
}

/** The double's books, the API, the proof of the ledger and the report show equal sums. */
async function compareSums(
  shop: Shop,
  figures: Figures,
  { processorId, books }: { processorId: string; books: Books },
): Promise<string[]> {
  // The processor stamps whole seconds, and the end is no part of what is compared.
  const to = Math.ceil(Date.now() / 1000) * 1000;
  while (Date.now() < to) await wait(to - Date.now());
  const asked = { from: to - 24 * 3_600_000, to };
  const { report } = await shop.ask('POST', `/v0/processors/${processorId}/reconcile`, asked);
  const { missing_money, unknown_money, amount_differs, foreign } = report.counts;
  const wrong = [missing_money, unknown_money, amount_differs, foreign].some((count) => count > 0)
    ? [`the report finds ${JSON.stringify(report.counts)}`]
    : [];
  figures['found late by the report'] = report.counts.repaired + report.counts.adopted;
  for (const { currency, ours, theirs } of report.sums) {
    const balance = books.balance[currency.toLowerCase()];
    if (ours !== theirs || ours !== balance)
      wrong.push(`${currency}: ${ours} in the ledger, ${theirs} in the report, ${balance} there`);
  }
  const { proof } = await shop.ask('GET', '/v0/ledger/proof');
  if (proof.differences.length > 0) wrong.push(`the ledger's proof: ${JSON.stringify(proof.differences[0])}`);
  const taken = Object.values(books.charges).reduce((sum, charge) => sum + charge.taken, 0);
  const paid = await sumPaid(shop);
  if (paid !== taken) wrong.push(`the API tells of ${paid} paid, there ${taken} were taken`);
  return wrong;
}

interface Page {
  payments: Array<{ value: number }>;
  cursor: string | null;
}

async function sumPaid(shop: Shop): Promise<number> {
  let sum = 0;
  for (let next = ''; ; ) {
    const { payments, cursor }: Page = await shop.ask('GET', `/v0/payments/list?take=100&status=PAID${next}`);
    for (const { value } of payments) sum += value;
    if (cursor === null) return sum;
    next = `&cursor=${encodeURIComponent(cursor)}`;
  }
}
