/** Which connection of a store takes new money: the first by priority that fits. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Settings } from '../../domain/settings.ts';
import type { FieldsAsk, ProcessorFields } from '../../providers/payment/page-fields.ts';
import type { MethodKind, PaymentProvider } from '../../providers/payment/payment-provider.ts';
import type { AmountJudgement, PageSources } from '../../providers/payment/registry.ts';
import { toSandboxConnectionId } from '../../providers/payment/sandbox/sandbox-connection.ts';
import { listProcessors } from '../../resources/processors/processors.queries.ts';
import { type Cart, type CartQuote, needsProcessor } from '../pricing/quote-cart.ts';
import { isHalted, openProvider } from './provider-of.ts';

export interface AskedMoney {
  method: MethodKind;
  currency: string;
  /** Of the buyer; null where it is not known yet. */
  country: string | null;
  /** Minor units; 0 only takes the method. Missing = it is not known yet. */
  amountMinor?: bigint;
}

export interface Connection {
  id: string;
  provider: PaymentProvider;
}

type Asking = Pick<Context, 'db' | 'payments' | 'sealing' | 'books'>;
/** Of a store, in their order. */
type Connections = ReadonlyArray<Row<'processors'>>;

/**
 * Null where none takes it. A card's number is taken by the sandbox alone, which every test store has: nothing is read
 * for it. What no connection of a test store takes is the sandbox's, too.
 */
export async function chooseConnection(
  ctx: Asking,
  scope: Scope,
  asked: AskedMoney,
): Promise<Connection | null> {
  const sandbox = scope.testMode
    ? { id: toSandboxConnectionId(scope.workspaceId), provider: ctx.payments.openSandbox() }
    : null;
  if (asked.method === 'card') return sandbox;
  const row = findFitting(ctx, await listProcessors(ctx.db, scope), asked);
  const provider = row && openProvider(ctx, scope, row);
  if (row && provider) return { id: row.id, provider };
  // No field of a processor's is in the sandbox's page.
  return asked.method === 'token' ? null : sandbox;
}

/** The first that takes it: by priority, as they are listed, and by how well they answer. */
function findFitting(ctx: Asking, rows: Connections, asked: AskedMoney): Row<'processors'> | undefined {
  return rows.filter((one) => takes(ctx, one, asked)).sort(byHealth)[0];
}

/**
 * One that the merchant names; null = there is none of that id. Throws unknown_reference where it takes nothing new, and
 * processor_not_configured where it is broken, or not for this currency or country.
 */
export function getConnection(
  ctx: Asking,
  scope: Scope,
  { row, ...asked }: { row: Row<'processors'> | null } & Pick<AskedMoney, 'currency' | 'country'>,
): Connection {
  const provider = row?.status === 'active' ? openProvider(ctx, scope, row) : null;
  if (!row || !provider) {
    throw new Refusal('unknown_reference', {
      details: [{ path: 'processorId', message: 'is no active processor' }],
    });
  }
  const isBroken = isHalted(row);
  if (!isBroken && isFor(ctx, row, asked)) return { id: row.id, provider };
  const from = asked.country === null ? '' : ` from ${asked.country}`;
  throw new Refusal('processor_not_configured', {
    message: isBroken
      ? 'This processor takes no charges now.'
      : `This processor takes no ${asked.currency}${from}.`,
  });
}

/**
 * Where connections would take the money but for its amount: throws amount_below_minimum, which names the least, and
 * amount_not_chargeable.
 */
export async function refuseAmount(
  ctx: Asking,
  scope: Scope,
  { amountMinor, currency, country }: Omit<AskedMoney, 'method'> & { amountMinor: bigint },
): Promise<void> {
  if (amountMinor === 0n) return;
  const rows = await listProcessors(ctx.db, scope);
  const would = rows.filter((row) =>
    WITHOUT_CARD.some((method) => takes(ctx, row, { method, currency, country })),
  );
  const judged = would.map(({ kind }) => judge(ctx, kind, { amountMinor, currency }));
  const [first] = judged;
  if (!first || judged.some(({ kind }) => kind === 'fits')) return;
  throw toAmountRefusal(judged.find(({ kind }) => kind === 'below_minimum') ?? first, currency);
}

/** The same of a kept method, or of a connection that is named: it takes it, or nobody. */
export function refuseAmountOf(
  ctx: Pick<Asking, 'payments'>,
  { processor, amountMinor, currency }: { processor: string; amountMinor: bigint; currency: string },
): void {
  const judged = judge(ctx, processor, { amountMinor, currency });
  if (amountMinor > 0n && judged.kind !== 'fits') throw toAmountRefusal(judged, currency);
}

function toAmountRefusal(judged: AmountJudgement, currency: string): Refusal {
  if (judged.kind !== 'below_minimum') return new Refusal('amount_not_chargeable');
  const least = `is below the least that can be charged in ${currency}: ${judged.minimumMinor}`;
  return new Refusal('amount_below_minimum', { details: [{ path: 'amount', message: least }] });
}

const FITS: AmountJudgement = { kind: 'fits' };

function judge(
  { payments }: Pick<Asking, 'payments'>,
  kind: string,
  money: { amountMinor: bigint; currency: string },
): AmountJudgement {
  return payments.kindNamed(kind)?.judgeAmount?.(money) ?? FITS;
}

interface Offering {
  cart: Cart;
  quote: CartQuote;
  /** Of the buyer; null while it is not known. */
  country: string | null;
  /** The page that could show a processor's own fields; null = one that cannot. */
  page: { isFramed: boolean } | null;
}

/** How a page lets its buyer pay. */
export interface Offered {
  methods: MethodKind[];
  /** Of the processor that takes `token`, where that is among the methods. */
  fields: ProcessorFields | null;
  /** The whole page offers what would lead away from one in a frame. */
  hasMoreWays: boolean;
}

/** What a page offers for a cart. */
export async function listOffered(
  ctx: Asking,
  scope: Scope,
  { cart, quote, country, page }: Offering,
): Promise<Offered> {
  if (!needsProcessor(cart, quote)) return { methods: [], fields: null, hasMoreWays: false };
  const { currency, interval, settings } = cart;
  return listOfferedFor(ctx, scope, {
    settings,
    country,
    canWait: canWaitFor(cart, quote),
    amountMinor: quote.dueNowMinor,
    fields: page && {
      amountMinor: quote.dueNowMinor,
      keepsMethod: interval !== null,
      isScarce: isScarce(cart, quote),
      isFramed: page.isFramed,
    },
    currency,
  });
}

export interface OfferedMoney {
  settings: Settings;
  currency: string;
  /** Of the buyer; null while it is not known. */
  country: string | null;
  /** It may be paid by what the buyer sends by themselves. */
  canWait: boolean;
  /** Missing = as `fields` say. */
  amountMinor?: bigint;
  /** What the fields of a processor would be told; null = the page can show none. */
  fields: Omit<FieldsAsk, 'currency' | 'chosen'> | null;
}

/** What a page offers for money that is not a cart's. */
export async function listOfferedFor(ctx: Asking, scope: Scope, money: OfferedMoney): Promise<Offered> {
  const { settings, currency, country, canWait, fields: ask } = money;
  const amountMinor = money.amountMinor ?? ask?.amountMinor ?? 0n;
  const rows = await listProcessors(ctx.db, scope);
  const fields = findFields(ctx, scope, { rows, money });
  const isSandbox = takesSandbox(scope, { settings });
  const others = findMethods(ctx, scope, { rows, asked: { currency, country, amountMinor } }).filter(
    (method) => {
      if (method === 'transfer') return canWait;
      return method === 'card' ? isSandbox : !isSandbox;
    },
  );
  const methods: MethodKind[] = fields ? ['token', ...others] : others;
  if (!ask?.isFramed) return { methods, fields, hasMoreWays: false };
  const whole = findFields(ctx, scope, { rows, money: { ...money, fields: { ...ask, isFramed: false } } });
  const count = (shown: ProcessorFields | null) => shown?.types.length ?? 0;
  return { methods, fields, hasMoreWays: count(whole) > count(fields) };
}

/** Whether the pages of a store are paid by its sandbox: a setting of the test store. */
export const takesSandbox = ({ testMode }: Scope, { settings }: { settings: Settings }): boolean =>
  testMode && settings.testCheckout === 'sandbox';

function findFields(
  ctx: Asking,
  scope: Scope,
  { rows, money }: { rows: Connections; money: OfferedMoney },
): ProcessorFields | null {
  const { currency, country, fields } = money;
  if (fields === null || takesSandbox(scope, money)) return null;
  const row = findFitting(ctx, rows, {
    ...{ method: 'token', currency, country, amountMinor: fields.amountMinor },
  });
  const provider = row && openProvider(ctx, scope, row);
  if (!row || !provider?.showFields) return null;
  return provider.showFields({ ...fields, currency, chosen: row.methods });
}

/** What a page to pay on must be let load, whatever its buyer will choose; null = nothing of anybody's. */
export async function findPageSources(
  ctx: Asking,
  scope: Scope,
  page: { settings: Settings },
): Promise<PageSources | null> {
  if (takesSandbox(scope, page)) return null;
  const rows = await listProcessors(ctx.db, scope);
  const kinds = rows.flatMap(({ kind, status }) =>
    status === 'active' ? [ctx.payments.kindNamed(kind)?.capabilities.sources ?? null] : [],
  );
  return kinds.find((sources) => sources !== null) ?? null;
}

/**
 * Whether a sale may be paid by what takes days: not where others may wait for what it holds, keys, places of an offer
 * and uses of a code, unless the merchant lets them wait; and not where nothing is paid yet, since nothing would come.
 */
export function canWaitFor(cart: Cart, quote: CartQuote): boolean {
  return quote.dueNowMinor > 0n && !isScarce(cart, quote);
}

/** Others may wait for what it holds, and the merchant does not let them. */
export function isScarce({ lines, settings }: Cart, { discount }: CartQuote): boolean {
  if (settings.delayedForStock) return false;
  const isLimited = lines.some(({ offer }) => offer.hasKeys || offer.salesLimit !== null);
  return isLimited || (discount?.purchaseLimit ?? null) !== null;
}

/** The methods by which a buyer can pay now, whoever takes them. */
function findMethods(
  ctx: Asking,
  { testMode }: Scope,
  { rows, asked }: { rows: Connections; asked: Omit<AskedMoney, 'method'> },
): MethodKind[] {
  const all: readonly MethodKind[] = ['card', 'redirect', 'transfer'];
  return all.filter(
    (method) => (method === 'card' && testMode) || rows.some((row) => takes(ctx, row, { ...asked, method })),
  );
}

/** Whether anything but the sandbox takes such money, by whatever method. */
export async function hasConnection(
  ctx: Asking,
  scope: Scope,
  asked: Omit<AskedMoney, 'method'>,
): Promise<boolean> {
  const rows = await listProcessors(ctx.db, scope);
  return WITHOUT_CARD.some((method) => rows.some((row) => takes(ctx, row, { ...asked, method })));
}

/** All but the sandbox's. */
const WITHOUT_CARD: readonly MethodKind[] = ['token', 'redirect', 'transfer'];

function takes(ctx: Asking, row: Row<'processors'>, asked: AskedMoney): boolean {
  const kind = ctx.payments.kindNamed(row.kind);
  if (!kind || row.status !== 'active' || row.health === 'broken') return false;
  const { method, currency, amountMinor = 0n } = asked;
  const { methods, types } = kind.capabilities;
  return (
    methods.includes(method) &&
    takesType(row, method, types) &&
    isFor(ctx, row, asked) &&
    (amountMinor === 0n || judge(ctx, row.kind, { amountMinor, currency }).kind === 'fits')
  );
}

/** Its kind knows the currency, and the merchant means it for that and for the buyer's country. */
function isFor(
  { payments }: Asking,
  row: Row<'processors'>,
  { currency, country }: Pick<AskedMoney, 'currency' | 'country'>,
): boolean {
  const known = payments.kindNamed(row.kind)?.capabilities.currencies ?? null;
  return (
    (known === null || known.includes(currency)) &&
    isAmong(row.currencies, currency) &&
    (country === null || isAmong(row.countries, country))
  );
}

/** Of several types one is enough. */
function takesType({ methods }: Row<'processors'>, method: MethodKind, types: readonly string[]): boolean {
  // A way out of the page is called by what it leads to.
  return method === 'transfer' ? isAmong(methods, method) : types.some((type) => isAmong(methods, type));
}

/** None = all. */
function isAmong(list: readonly string[], word: string): boolean {
  return list.length === 0 || list.includes(word);
}

/** One that does not answer well yields to another. */
function byHealth(a: Row<'processors'>, b: Row<'processors'>): number {
  return Number(a.health === 'degraded') - Number(b.health === 'degraded');
}
