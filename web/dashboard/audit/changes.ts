/** What an entry of the audit log says that somebody has changed, field by field. */
import { type Row, rowOf, textOf } from '../api/objects.ts';
import { toWords } from '../ui/to-words.ts';

export interface Changed {
  /** `seller.name`. */
  path: string;
  before: unknown;
  after: unknown;
}

export interface Recorded {
  /** What the object is called, by what people know it by; empty where nothing tells. */
  name: string;
  /** Of an export what it is of; else empty. */
  exported: string;
  /** Whom it is of, where nothing but an id says what it is: a way into the portal, say. Else empty. */
  customerId: string;
  currency: string;
  /** Nothing of what was made anew: all of that is in the whole record. */
  changed: Changed[];
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** They move with every write, and say nothing; an `id` differs where the answer is of something else, alone. */
const QUIET = new Set(['object', 'id', 'version', 'updatedAt']);

/** An answer names its objects: of several it is the one that was there before, else the first. */
function mainOf(record: Row | null, like: string): Row | null {
  if (record === null || typeof record.object === 'string') return record;
  const objects = Object.values(record).filter(isRow);
  return objects.find(({ object }) => object === like) ?? objects.find(({ object }) => object) ?? record;
}

/** Blocks are told field by field; lists whole. */
function flatten(of: Row): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(of)) {
    if (QUIET.has(name)) continue;
    if (isRow(value) && typeof value.object !== 'string')
      for (const [inner, one] of Object.entries(value)) found.set(`${name}.${inner}`, one);
    else found.set(name, value);
  }
  return found;
}

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const NAMES = [
  ...['number', 'orderNumber', 'name', 'email', 'userEmail', 'discountCode', 'label', 'subject', 'url'],
  ...['fileName', 'text'],
] as const;

const nameOf = (told: Row | null) =>
  NAMES.map((field) => textOf(told, field)).find((text) => text !== '') ?? '';

export function readRecord(entry: Row): Recorded {
  const before = mainOf(rowOf(entry, 'before'), '');
  const after = mainOf(rowOf(entry, 'after'), textOf(before, 'object'));
  const told = after ?? before;
  // Of what goes on after the answer there is what was asked for, alone.
  const name = nameOf(told) || nameOf(before) || nameOf(rowOf(told, 'asked'));
  const exported = textOf(told, 'object') === 'export' ? textOf(told, 'resource') : '';
  const currency = textOf(told, 'currency');
  const customerId = name === '' ? textOf(told, 'userId') : '';
  const known = { name, exported, customerId, currency };
  if (before === null || after === null) return { ...known, changed: listFacts(after) };
  const [was, is] = [flatten(before), flatten(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])].filter((path) => is.has(path) && was.has(path));
  const changed = paths
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((one) => !isSame(one.before, one.after));
  return { ...known, changed: changed.filter((one) => !isFollowing(one, changed)) };
}

/** A discount's `state` follows its `status`: the same change is told once. */
function isFollowing({ path, before, after }: Changed, changed: readonly Changed[]): boolean {
  if (path !== 'state') return false;
  const status = changed.find((one) => one.path === 'status');
  return status !== undefined && isSame(status.before, before) && isSame(status.after, after);
}

/** It tells people nothing; the whole record has it. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Of what is no object of the store, such as a sign-in, the little that was noted. */
function listFacts(after: Row | null): Changed[] {
  if (after === null || typeof after.object === 'string') return [];
  return Object.entries(after)
    .filter(([path, value]) => path !== 'id' && value !== null && typeof value !== 'object')
    .filter(([, value]) => !ID.test(String(value)))
    .map(([path, value]) => ({ path, before: undefined, after: value }));
}

/** Amounts, by what their field is called. */
const MONEY = /^(value|price|originalPrice|amount|tax|fee|refundedValue|subtotal|total|spent)$/;
const isMoment = (path: string, value: number) =>
  value > 100_000_000_000 && /(At|From|Until|To|Start|End|Date|trialEnd)$/.test(path);

interface Tools {
  t(key: 'yes' | 'no' | 'audit.empty'): string;
  tName(prefix: string, name: string): string;
  money(amountMinor: number, currency: string): string;
  number(value: number): string;
  time(timeMs: number): string;
  countryName(code: string): string;
}

const LONG = 120;
const COUNTRY = /^(?:c|\w+C)ountry(?:Code)?$/;
/** Fields whose values the API has made up, by what their words begin with. */
const NAMED: Readonly<Record<string, string>> = {
  status: 'status.',
  state: 'status.',
  role: 'role.',
  type: 'type.',
  reason: 'reason.',
  fulfilment: 'fulfilment.',
  method: 'method.',
  guessed: 'method.',
};
/** Choices of the settings that share their words; the others' begin with the name of their field. */
const OPTIONS: Readonly<Record<string, string>> = {
  end: 'status.',
  category: 'category.',
  ...{ buyerName: 'ask.', buyerAddress: 'ask.', reminder: 'ask.', consent: 'ask.', cancellationPage: 'ask.' },
  ...{ withdrawalHandling: 'handling.', deliveredContent: 'handling.', deletion: 'handling.' },
  ...{ upgradeProration: 'proration.', downgradeProration: 'proration.' },
  withdrawal: 'withdrawalFor.',
};
const MADE_UP = /^(?:[a-z_]+|[A-Z_]+)$/;

/** A value as people read it; what is a list or a block of its own is cut short, and whole in the record. */
export function writeRecorded(value: unknown, path: string, currency: string, tools: Tools): string {
  const field = path.split('.').at(-1) ?? path;
  if (value === null || value === undefined || value === '') return tools.t('audit.empty');
  if (typeof value === 'boolean') return tools.t(value ? 'yes' : 'no');
  if (typeof value === 'number') {
    if (isMoment(field, value)) return tools.time(value);
    return MONEY.test(field) && currency !== '' ? tools.money(value, currency) : tools.number(value);
  }
  if (typeof value === 'string') {
    if (path.startsWith('permissions.')) return tools.tName('level.', value);
    if (COUNTRY.test(field)) return tools.countryName(value);
    const prefix = NAMED[field];
    if (prefix !== undefined && MADE_UP.test(value)) return tools.tName(prefix, value);
    const option = /^[A-Za-z_]+$/.test(value) ? tools.tName(OPTIONS[field] ?? `${field}.`, value) : '';
    if (option !== '' && option !== toWords(value)) return option;
  }
  const text = typeof value === 'string' ? value : writeWhole(value);
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
}

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';
const writeWhole = (value: unknown): string =>
  Array.isArray(value) && value.every(isPlain) ? value.join(', ') : JSON.stringify(value);
