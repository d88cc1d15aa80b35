/** The mails about a sale: what was paid, what it brought, and where it can be seen. */
import { nameMethod, TRANSFER } from '../payments/method-name.ts';
import type { SaleKind } from './kinds.ts';
import type { Block, Draft, Fact, Total } from './letter.ts';
import type { MailItem, MailSale } from './sale.ts';
import type { TextKey } from './texts.ts';
import type { Writer } from './writer.ts';

interface Writing {
  writer: Writer;
  seller: string;
  sale: MailSale;
}

/** What a kind says beside the lines that every sale has. */
type Opening = Pick<Draft, 'subject' | 'title'> & { texts: string[]; blocks: Block[] };

/** Writes a mail of a kind that is about a sale. */
export function writeSaleMail(kind: SaleKind, writing: Writing): Draft {
  const { subject, title, texts, blocks } = OPENINGS[kind](writing);
  const paragraphs = texts.map((text): Block => ({ kind: 'text', text }));
  return { subject, title, preview: texts[0] ?? title, blocks: [...paragraphs, ...blocks] };
}

const OPENINGS: Record<SaleKind, (writing: Writing) => Opening> = {
  receipt: (writing) => ({
    ...openLike('receipt', writing),
    blocks: [
      ...listItems(writing),
      ...listKeys(writing),
      ...listReceipt(writing),
      ...repeatConsents(writing),
    ],
  }),
  free_claim: (writing) => ({
    ...openLike('free_claim', writing),
    blocks: [...listItems(writing), ...listKeys(writing), ...listReceipt(writing)],
  }),
  key_delivery: (writing) => ({
    ...openLike('key_delivery', writing),
    blocks: [...listKeys(writing), ...listReceipt(writing)],
  }),
  subscription_started: (writing) =>
    withNextDay('subscription_started', 'subscription_started.renews', writing),
  subscription_renewed: (writing) =>
    withNextDay('subscription_renewed', 'subscription_renewed.next', writing),
  trial_started: writeTrialStarted,
  payment_failed: writePaymentFailed,
  refund: writeRefund,
  subscription_changed: writeSubscriptionChanged,
  subscription_ending: writeSubscriptionEnding,
  subscription_cancelled: writeSubscriptionCancelled,
};

function toValues({ writer, seller, sale }: Writing): Record<string, string> {
  return {
    seller,
    order: sale.orderNumber,
    payment: sale.paymentNumber,
    amount: writer.money(sale.totalMinor, sale.currency),
  };
}

/** Subject, title and first sentence, which most kinds have under the same names. */
function openLike(
  kind: Exclude<SaleKind, 'trial_started' | 'subscription_ending'>,
  writing: Writing,
): Pick<Opening, 'subject' | 'title' | 'texts'> {
  const { writer } = writing;
  const values = toValues(writing);
  return {
    subject: writer.text(`${kind}.subject`, values),
    title: writer.text(`${kind}.title`),
    texts: [writer.text(`${kind}.text`, values)],
  };
}

function withNextDay(
  kind: 'subscription_started' | 'subscription_renewed',
  nextKey: 'subscription_started.renews' | 'subscription_renewed.next',
  writing: Writing,
): Opening {
  const { writer, sale } = writing;
  const opening = openLike(kind, writing);
  const nextMs = findNextMs(sale);
  const next = nextMs === null ? [] : [writer.text(nextKey, { date: writer.date(nextMs) })];
  return {
    ...opening,
    texts: [...opening.texts, ...next],
    blocks: [
      ...listItems(writing),
      ...listKeys(writing),
      ...listReceipt(writing),
      ...repeatConsents(writing),
    ],
  };
}

/** When the next payment is made by itself: one that still owes for a period that is over has no such day. */
function findNextMs({ subscription, atMs }: MailSale): number | null {
  const endMs = subscription?.intervalEndMs ?? null;
  return endMs !== null && endMs > atMs ? endMs : null;
}

function writeTrialStarted(writing: Writing): Opening {
  const { writer, sale } = writing;
  const { nextPayment, currency } = sale;
  const date = writer.date(sale.subscription?.trialEndMs ?? sale.atMs);
  const amount = nextPayment && writer.money(nextPayment.amountMinor, currency);
  const then =
    amount === null ? writer.text('trial_started.then') : writer.text('trial_started.amount', { amount });
  const facts = [{ label: writer.text('label.trialEnds'), value: date }, ...listNextPayment(writing)];
  return {
    subject: writer.text('trial_started.subject', toValues(writing)),
    title: writer.text('trial_started.title'),
    texts: [writer.text('trial_started.text', { date }), then],
    blocks: [...listPlan(writing, facts), ...linkPurchase(writing)],
  };
}

/** What the next payment takes, and what of it is tax. */
function listNextPayment({ writer, sale: { nextPayment, currency } }: Writing): Fact[] {
  if (nextPayment === null) return [];
  const { amountMinor, taxMinor } = nextPayment;
  return [
    { label: writer.text('label.amount'), value: writer.money(amountMinor, currency) },
    ...toFact(writer.text('total.tax'), taxMinor ? writer.money(taxMinor, currency) : null),
  ];
}

function writePaymentFailed(writing: Writing): Opening {
  const { writer, sale } = writing;
  const opening = openLike('payment_failed', writing);
  const consequence = chooseConsequence(sale);
  const facts = [
    { label: writer.text('label.payment'), value: sale.paymentNumber },
    ...listPeriod(writing),
    ...toFact(writer.text('label.declined'), toReason(writing)),
  ];
  return {
    ...opening,
    texts: [
      ...(isOfOrder(sale) ? [writer.text('payment_failed.order', toValues(writing))] : opening.texts),
      writer.text(`payment_failed.${consequence}`),
      ...sayUntil(writing, consequence),
    ],
    blocks: [
      ...listItems(writing),
      { kind: 'facts', facts },
      ...(sale.payUrl ? [toButton(writer, 'button.pay', sale.payUrl)] : []),
    ],
  };
}

/** Reasons that help the buyer; who has lost a card, or stolen one, is told no more than that it was declined. */
const REASONS: Readonly<Record<string, TextKey>> = {
  card_declined: 'declined.card',
  lost_card: 'declined.card',
  insufficient_funds: 'declined.funds',
  expired_card: 'declined.expired',
  incorrect_cvc: 'declined.cvc',
  authentication_failed: 'declined.authentication',
};

function toReason({ writer, sale }: Writing): string | null {
  const key = sale.declineReason === null ? undefined : REASONS[sale.declineReason];
  return key === undefined ? null : writer.text(key);
}

function listPeriod({ writer, sale }: Writing): Fact[] {
  const { period } = sale;
  return toFact(
    writer.text('label.period'),
    period === null ? null : writer.dateRange(period.startMs, period.endMs),
  );
}

/** When it is tried again, or until when the buyer can pay an order in another way. */
function sayUntil({ writer, sale }: Writing, consequence: Consequence): string[] {
  const { retryAtMs, payableUntilMs } = sale;
  if (consequence === 'ask' && retryAtMs !== null)
    return [writer.text('payment_failed.retry', { date: writer.date(retryAtMs) })];
  if (isOfOrder(sale) && payableUntilMs !== null)
    return [writer.text('payment_failed.until', { date: writer.date(payableUntilMs) })];
  return [];
}

type Consequence = 'update' | 'unpaid' | 'ask' | 'another';

/** The payment that carries an order; a renewal's and its like are told of by their subscription. */
function isOfOrder({ paymentType }: MailSale): boolean {
  return paymentType === 'one_time' || paymentType === 'subscription_initial';
}

function chooseConsequence(sale: MailSale): Consequence {
  const { paymentType, subscription } = sale;
  if (paymentType === 'subscription_update') return 'update';
  if (isOfOrder(sale) || paymentType === 'subscription_extra') return 'another';
  return subscription?.status === 'unpaid' ? 'unpaid' : 'ask';
}

function writeRefund(writing: Writing): Opening {
  const { writer, seller, sale } = writing;
  const { refund } = sale;
  const amount = writer.money(refund?.amountMinor ?? sale.totalMinor, sale.currency);
  const facts = [
    { label: writer.text('label.refunded'), value: amount },
    { label: writer.text('label.order'), value: sale.orderNumber },
    ...toFact(writer.text('label.invoice'), sale.invoiceNumber),
    ...toFact(writer.text('label.creditNote'), refund?.creditNoteNumber ?? null),
  ];
  const url = refund?.creditNoteUrl ?? null;
  return {
    subject: writer.text('refund.subject', toValues(writing)),
    title: writer.text('refund.title'),
    texts: [writer.text('refund.text', { seller, amount })],
    blocks: [{ kind: 'facts', facts }, ...(url ? [toButton(writer, 'button.creditNote', url)] : [])],
  };
}

function writeSubscriptionChanged(writing: Writing): Opening {
  const { writer, sale } = writing;
  const nextMs = findNextMs(sale);
  const next = nextMs === null ? null : writer.date(nextMs);
  return {
    ...openLike('subscription_changed', writing),
    blocks: listPlan(writing, [
      ...toFact(writer.text('label.nextPayment'), next),
      ...(next === null ? [] : listNextPayment(writing)),
    ]),
  };
}

function writeSubscriptionEnding(writing: Writing): Opening {
  const { writer, seller, sale } = writing;
  const date = writer.date(sale.subscription?.intervalEndMs ?? sale.atMs);
  return {
    subject: writer.text('subscription_ending.subject', { seller, date }),
    title: writer.text('subscription_ending.title'),
    texts: [writer.text('subscription_ending.text', { date })],
    blocks: listPlan(writing, [{ label: writer.text('label.endsOn'), value: date }]),
  };
}

function writeSubscriptionCancelled(writing: Writing): Opening {
  const { writer, sale } = writing;
  const ended = writer.date(sale.subscription?.endedAtMs ?? sale.atMs);
  return {
    ...openLike('subscription_cancelled', writing),
    blocks: listPlan(writing, [{ label: writer.text('label.endedOn'), value: ended }]),
  };
}

/** What the subscription consists of now, with facts about it. */
function listPlan({ writer, sale }: Writing, facts: Fact[]): Block[] {
  const items = sale.subscription?.items ?? [];
  const lines = items.map((item) => ({ name: toCounted(item), detail: item.note, amount: null }));
  const number = toFact(writer.text('label.subscription'), sale.subscription?.number ?? null);
  return [
    { kind: 'lines', lines, totals: [] },
    { kind: 'facts', facts: [...number, ...facts] },
  ];
}

function listItems(writing: Writing): Block[] {
  const { writer, sale } = writing;
  const { items, currency } = sale;
  const isWhole = addsUp(sale);
  const lines = items.map((item) => ({
    name: toCounted({ ...item, name: writer.lineName(item.name) }),
    detail: joinDetails([item.note, item.awaitsStock ? writer.text('line.awaiting') : null]),
    amount: writer.money(isWhole ? item.subtotalMinor : item.totalMinor, currency),
  }));
  const isReversed = items.some(({ taxReason }) => taxReason === 'reverse_charge');
  const note: Block[] = isReversed
    ? [{ kind: 'note', text: writer.text('total.taxNote.reverse_charge') }]
    : [];
  return [
    { kind: 'lines', lines, totals: isWhole ? listTotals(writing) : listPlainTotals(writing) },
    ...note,
  ];
}

/** A payment may come to less than its lines, such as by what an earlier one had too much. */
function addsUp({ breakdown, totalMinor }: MailSale): boolean {
  const { inclusive, subtotal, discount, taxLines } = breakdown;
  const added = inclusive ? 0 : taxLines.reduce((sum, { amount }) => sum + amount, 0);
  return subtotal - discount + added === totalMinor;
}

/** As the checkout has it: what is added to what, the total, and what it holds. */
function listTotals({ writer, sale: { breakdown, currency, totalMinor } }: Writing): Total[] {
  const { inclusive, subtotal, discount, taxLines } = breakdown;
  const money = (amountMinor: number) => writer.money(amountMinor, currency);
  const part = (label: string, amountMinor: number) => ({ label, value: money(amountMinor), isSum: false });
  const taxes = taxLines.map(({ name, percentage, amount }) => {
    const values = { name: writer.taxName(name), rate: writer.percentage(percentage) };
    const label = inclusive ? writer.text('total.includes', values) : `${values.name} ${values.rate}`;
    return part(label, amount);
  });
  const hasParts = discount > 0 || (!inclusive && taxes.length > 0);
  return [
    ...(hasParts ? [part(writer.text('total.subtotal'), subtotal)] : []),
    ...(discount > 0 ? [part(writer.text('total.discount'), -discount)] : []),
    ...(inclusive ? [] : taxes),
    { label: writer.text('total.total'), value: money(totalMinor), isSum: true },
    ...(inclusive ? taxes : []),
  ];
}

function listPlainTotals({ writer, sale: { currency, totalMinor, taxMinor } }: Writing): Total[] {
  const tax = taxMinor === 0 ? null : writer.money(taxMinor, currency);
  return [
    { label: writer.text('total.total'), value: writer.money(totalMinor, currency), isSum: true },
    ...toFact(writer.text('total.tax'), tax).map((fact) => ({ ...fact, isSum: false })),
  ];
}

function toCounted({ name, quantity }: Pick<MailItem, 'name' | 'quantity'>): string {
  return quantity > 1 ? `${name} × ${quantity}` : name;
}

function joinDetails(details: Array<string | null>): string | null {
  return details.filter(Boolean).join(' · ') || null;
}

function listKeys({ writer, sale }: Writing): Block[] {
  return sale.items
    .filter(({ keys }) => keys.length > 0)
    .map(({ name, keys }) => {
      const title = writer.count('keys', keys.length);
      return { kind: 'keys', title: sale.items.length > 1 ? `${title} (${name})` : title, keys };
    });
}

/** Numbers and links that let the buyer find the sale again. */
function listReceipt(writing: Writing): Block[] {
  const { writer, sale } = writing;
  const isInitial = sale.paymentNumber === sale.orderNumber;
  const facts = [
    { label: writer.text('label.order'), value: sale.orderNumber },
    ...toFact(writer.text('label.payment'), isInitial ? null : sale.paymentNumber),
    ...listPeriod(writing),
    { label: writer.text('label.date'), value: writer.date(sale.atMs) },
    ...toFact(writer.text('label.paidWith'), toMethod(writing)),
    ...toFact(writer.text('label.invoice'), sale.invoiceNumber),
  ];
  const { invoiceUrl } = sale;
  const invoice = writer.text('button.invoice');
  if (sale.purchaseUrl === null) {
    return [
      { kind: 'facts', facts },
      ...(invoiceUrl ? [toButton(writer, 'button.invoice', invoiceUrl)] : []),
    ];
  }
  return [
    { kind: 'facts', facts },
    ...linkPurchase(writing),
    ...(invoiceUrl ? [{ kind: 'link' as const, label: invoice, url: invoiceUrl }] : []),
  ];
}

/** On a durable medium, in the very words: without it the right to withdraw is not lost. */
function repeatConsents({ writer, sale }: Writing): Block[] {
  return sale.consents.map((words) => ({ kind: 'note', text: writer.text('consent.given', { words }) }));
}

function linkPurchase({ writer, sale }: Writing): Block[] {
  return sale.purchaseUrl ? [toButton(writer, 'button.purchase', sale.purchaseUrl)] : [];
}

function toMethod({ writer, sale }: Writing): string | null {
  if (!sale.method) return null;
  const { last4 } = sale.method;
  const plain = writer.text(sale.method.type === TRANSFER ? 'card.transfer' : 'card.plain');
  const name = nameMethod(sale.method) ?? plain;
  return last4 ? writer.text('card.ending', { brand: name, last4 }) : name;
}

function toFact(label: string, value: string | null): Fact[] {
  return value === null ? [] : [{ label, value }];
}

function toButton(
  writer: Writer,
  key: 'button.purchase' | 'button.invoice' | 'button.creditNote' | 'button.pay',
  url: string,
): Block {
  return { kind: 'button', label: writer.text(key), url, fallback: writer.text('link.fallback') };
}
