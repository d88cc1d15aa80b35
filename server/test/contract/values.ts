/** Arbitraries over the schemas of the description: values that fit, and values that are wrong on purpose. */
import fc from 'fast-check';
import type { Operation, Schema } from './operations.ts';

/**
 * A place for an id of the store that the request is sent to, filled in when it is sent: generated values
 * stay the same for one seed whatever the store holds.
 */
export const toMark = (kind: string, n: number) => `{{${kind}:${n}}}`;

const DAY_MS = 86_400_000;
/** Whole days, so that runs of one day with one seed are the same. */
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** Which pool an id comes from, by the name of its field. */
const KIND_OF: Readonly<Record<string, string>> = {
  productId: 'product',
  product: 'product',
  variantId: 'variant',
  planId: 'variant',
  offerId: 'offer',
  offersIds: 'offer',
  offers: 'offer',
  includedOffers: 'offer',
  excludedOffers: 'offer',
  keyId: 'key',
  discountId: 'discount',
  elementId: 'element',
  checkoutIds: 'element',
  customFieldId: 'customField',
  orderIdOrNumber: 'order',
  orderId: 'order',
  paymentId: 'payment',
  subscriptionId: 'subscription',
  userId: 'user',
  eventId: 'event',
  exportId: 'export',
  importId: 'import',
  processorId: 'processor',
  processorEventId: 'processorEvent',
  reportId: 'processorReport',
  mailId: 'mail',
  webhookId: 'webhook',
  listenerId: 'listener',
  downloadFileId: 'file',
};

export function kindOf(name: string, tag: string): string | undefined {
  const kind = KIND_OF[name];
  return kind === 'offer' && tag === 'subscriptions' ? 'planOffer' : kind;
}

/** Texts that break what escapes, matches, counts or sorts them carelessly; all are allowed. */
export const WEIRD_TEXTS: readonly string[] = [
  "'; drop table orders; --",
  "' or '1'='1",
  '" onmouseover="alert(1)',
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '%s%n%d',
  '%',
  '_',
  '\\',
  "\\'",
  '$1',
  '../../../etc/passwd',
  'https://example.invalid/?a=1&b=2',
  '🎮👩‍👩‍👧‍👦',
  'e\u0301\u0323',
  '\u202egpj.exe',
  '\ufeff',
  '\u200b',
  '日本語のゲーム',
  'ليلى',
  '\r\nSet-Cookie: a=b',
  '\t',
  ' ',
  '\u{10ffff}',
  'İı',
  'NaN',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  '1e400',
  '(a+)+$',
];

const weirdText = fc.constantFrom(...WEIRD_TEXTS);
const anyText = fc.string({ unit: 'binary', maxLength: 40 });

const EMAILS = ['ada@example.com', 'bob@example.com', 'cy@example.com', 'Ada@Example.com', 'ö@exämple.de'];
const CARDS = ['4242424242424242', '5555 5555 5555 4444', '4000000000000002', '4000002500003155'];
const MORE_CARDS = ['4000000000000341', '4000000000009987', '4000000000000119', '4000000000000259', '1', ''];
const COUNTRIES = ['DE', 'PL', 'FR', 'US', 'CA', 'IN', 'JP', 'HK', 'GB', 'XK', 'XX'];
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Mars/Olympus'];

/** What a field of this name usually holds, so that requests get past the first question. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: fc.oneof(
    fc.constantFrom(...EMAILS),
    fc.nat(400).map((n) => `user${n}@example.com`),
  ),
  userEmail: fc.constantFrom(...EMAILS),
  password: fc.constantFrom('Passw0rd!', 'ä€😀Passw0rd!', 'short'),
  countryCode: fc.constantFrom(...COUNTRIES),
  country: fc.constantFrom(...COUNTRIES),
  sellerCountry: fc.constantFrom(...COUNTRIES),
  postalCode: fc.constantFrom('10115', '94105', 'K1A 0B1', '110001', '35001'),
  state: fc.constantFrom('CA', 'NY', 'ON', 'QC', 'MH'),
  card: fc.constantFrom(...CARDS, ...CARDS, ...MORE_CARDS),
  sandboxCustomerId: fc
    .constantFrom(...CARDS, ...MORE_CARDS)
    .map((card) => `card_${card.replaceAll(' ', '')}`),
  discountCode: fc.constantFrom('WELCOME', 'welcome', 'NOBODY', 'Ünïcode', 'TEN'),
  timezone: fc.constantFrom(...ZONES),
  quantity: fc.constantFrom(1, 1, 1, 2, 3, 7, 10_000),
  taxNumber: fc.constantFrom('DE136695976', 'PL1234563218', 'GB1', '1'),
  pattern: fc.constantFrom('^[a-z]+$', '(', '(a+)+$', '(?=x)', '[\\d'),
  key: fc.nat(60).map((n) => `field${n}`),
  // Nothing of a test may leave the machine: loopback alone is let through, and nobody is there.
  url: fc.constantFrom(
    'http://127.0.0.1:9/a',
    'http://127.0.0.1:9/b',
    'http://10.0.0.1/',
    'ftp://127.0.0.1/',
  ),
  validationUrl: fc.constantFrom(null, null, 'http://127.0.0.1:9/check', 'http://169.254.169.254/'),
  required: fc.constantFrom(false, false, false, true),
  since: fc.integer({ min: 1, max: 13 }).map((days) => TODAY_MS - days * DAY_MS),
  number: fc.nat(99).map((n) => toMark('orderNumber', n)),
  customFields: fc.constantFrom('{"guild":"red"}', '{"guild":["red"]}', '{}', '{"a":"%"}', '{"\u202e":"x"}'),
  term: fc.oneof(weirdText, fc.constantFrom('Rocket', 'ada', 'ADA@EXAMPLE.COM')),
  termOrId: fc.oneof(
    weirdText,
    fc.nat(99).map((n) => toMark('product', n)),
  ),
};

/** Values that fit the schema; `name` is the field's, whose usual values make up most. */
export function fitting(schema: Schema, name: string, tag: string): fc.Arbitrary<unknown> {
  const types = [schema.type ?? []].flat();
  if (types.includes('null')) {
    const [first] = types.filter((type) => type !== 'null');
    if (first === undefined) return fc.constant(null);
    const rest = { ...schema, type: first };
    return fc.oneof(
      { weight: 5, arbitrary: fitting(rest, name, tag) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  }
  if (schema.enum) {
    const all = fc.constantFrom(...schema.enum.filter((value) => value !== null));
    return name === 'currency' ? fc.oneof(fc.constantFrom('EUR'), fc.constantFrom('EUR'), all) : all;
  }
  switch (types[0]) {
    case 'integer':
    case 'number':
      return fittingNumber(schema, name);
    case 'boolean':
      return BY_NAME[name] ?? fc.boolean();
    case 'array':
      return fittingArray(schema, name, tag);
    case 'object':
      return fittingObject(schema, tag);
    default:
      return fittingText(schema, name, tag);
  }
}

const MONEY = new Set(['price', 'unitPrice', 'value', 'amount', 'originalPrice']);
const LARGEST_AMOUNT = 1_000_000_000_000;

function fittingNumber(schema: Schema, name: string): fc.Arbitrary<number> {
  const low = schema.minimum ?? schema.exclusiveMinimum ?? -Number.MAX_SAFE_INTEGER;
  // Of a few amounts of 2^53 - 1 no answer could name the sum.
  const most = MONEY.has(name) ? LARGEST_AMOUNT : Number.MAX_SAFE_INTEGER;
  const high = Math.min(schema.maximum ?? most, most);
  const inside = (value: number) => Math.min(Math.max(value, low), high);
  const usual = BY_NAME[name] as fc.Arbitrary<number> | undefined;
  if (!usual && (schema['x-time'] || name === 'to')) {
    const near = fc.integer({ min: -800, max: 800 }).map((days) => TODAY_MS + days * DAY_MS);
    const odd = fc.constantFrom(0, 1, Math.floor(TODAY_MS / 1000), 1e11, Number.MAX_SAFE_INTEGER);
    return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: odd.map(inside) });
  }
  const small = fc.constantFrom(1, 1, 2, 3, 10, 99, 100, 500, 1999, 4900).map(inside);
  const edges = fc.constantFrom(low, low + 1, high - 1, high, 0, 2 ** 31, 2 ** 32 + 1).map(inside);
  return fc.oneof({ weight: 5, arbitrary: usual ?? small }, { weight: 1, arbitrary: edges });
}

function fittingArray(schema: Schema, name: string, tag: string): fc.Arbitrary<unknown[]> {
  const one = fitting(schema.items ?? {}, name, tag);
  const min = schema.minItems ?? 0;
  return fc.array(one, { minLength: min, maxLength: Math.min(schema.maxItems ?? 4, min + 3) });
}

function fittingObject(schema: Schema, tag: string): fc.Arbitrary<Record<string, unknown>> {
  if (!schema.properties && typeof schema.additionalProperties === 'object') {
    const keys = fc.oneof(fc.constantFrom('guild', 'a', 'svc-x'), weirdText);
    const entries = fitting(schema.additionalProperties, '', tag);
    // A body that names the prototype is another matter: see the raw bodies.
    return fc.dictionary(
      keys.filter((key) => key !== '__proto__'),
      entries,
      { maxKeys: 3 },
    );
  }
  const all = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required ?? []);
  const model = Object.fromEntries(all.map(([name, one]) => [name, fitting(one, name, tag)]));
  return fc.record(model, { requiredKeys: [...required] }).map(withoutDoubles);
}

function fittingText(schema: Schema, name: string, tag: string): fc.Arbitrary<unknown> {
  if (name === 'id') return fc.constant(toMark('self', 0));
  const kind = kindOf(name, tag);
  if (kind) return fc.nat(99).map((n) => toMark(kind, n));
  if (schema.format === 'uuid') return fc.uuid({ version: 7 });
  const high = Math.min(schema.maxLength ?? 300, 3000);
  const low = schema.minLength ?? 0;
  const toLength = (text: string) => [...text.padEnd(low, 'x')].slice(0, high).join('');
  const usual = BY_NAME[name] ?? fc.constantFrom('Rocket', 'Gold plan', 'x1', 'WELCOME');
  const full = fc.constantFrom('x'.repeat(high), '€'.repeat(high), '😀'.repeat(high));
  return fc.oneof(
    { weight: 8, arbitrary: usual },
    { weight: 4, arbitrary: weirdText.map(toLength) },
    { weight: 1, arbitrary: anyText.map(toLength) },
    { weight: 1, arbitrary: full },
  );
}

/** Values that no schema of this kind takes, most of them. */
export function wrong(schema: Schema): fc.Arbitrary<unknown> {
  const beyond = [schema.minimum, schema.exclusiveMinimum].filter((one) => one !== undefined);
  const edges: unknown[] = [
    ...beyond.map((low) => low - 1),
    ...(schema.maximum === undefined ? [] : [schema.maximum + 2, -schema.maximum - 2]),
    ...(schema.maxLength === undefined ? [] : ['x'.repeat(schema.maxLength + 1)]),
    ...(schema.maxItems === undefined ? [] : [Array.from({ length: schema.maxItems + 1 }, () => 'x')]),
    ...(schema.enum ? ['NOT_A_WORD', ' ', 'Active'] : []),
  ];
  const any: unknown[] = [
    null,
    true,
    '',
    'x',
    '1',
    0,
    -1,
    1.5,
    1e21,
    [],
    {},
    [null],
    [[]],
    { a: 1 },
    { id: 'x' },
  ];
  const broken = ['\u0000', 'a\u0000b', '\ud800', 'x\udfff', '018f3c5e-7b2a-7c3d-8e4f', `${'9'.repeat(400)}`];
  return fc.oneof(
    fc.constantFrom(...any),
    fc.constantFrom(...broken),
    fc.jsonValue({ maxDepth: 2 }),
    ...(edges.length > 0 ? [fc.constantFrom(...edges)] : []),
  );
}

/** Spellings of one thing, and ways to say one thing: given together they are refused before much is done. */
const DOUBLES: ReadonlyArray<readonly string[]> = [
  ['internalId', 'externalId'],
  ['unitPrice', 'price', 'value'],
  ['offersIds', 'offers', 'elementId'],
  ['productKeys', 'keys'],
  ['items', 'offerId', 'productId'],
  ['userId', 'userEmail'],
];

/** Keeps the last of each. */
export function withoutDoubles<T extends Record<string, unknown>>(body: T): T {
  const names = Object.keys(body);
  const dropped = DOUBLES.flatMap((group) => names.filter((name) => group.includes(name)).slice(0, -1));
  // Some fields fewer of what they were.
  return Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.includes(name))) as T;
}

/** The example with every id in it made a place for the n-th of the store's. */
export function markExample(operation: Operation, n = 0): Record<string, unknown> {
  const walk = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => walk(one, name));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, key)]));
    }
    const isId = typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);
    if (!isId) return value;
    if (name === 'id') return toMark('self', 0);
    const kind = kindOf(name, operation.tag);
    return kind ? toMark(kind, n) : value;
  };
  // An example is an object and stays one.
  return walk(operation.example ?? {}, '') as Record<string, unknown>;
}
