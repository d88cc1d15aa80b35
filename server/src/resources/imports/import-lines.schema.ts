/** The lines of an import file, as the description shows them and as each line is held to them. */
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  LINE_KINDS,
  type ImportLine as Line,
  type LineKind,
  type MetaLine,
} from '../../domain/imports/lines.ts';
import { toIssue, type ValidationIssue } from '../input-issues.schema.ts';
import { ProductType } from '../products/products.schema.ts';
import { Currency, Lines, Ms, Nullable, StringEnum, Text, TIME_MAX } from '../shapes.ts';
import { BillingDetails } from '../users/billing-details.schema.ts';

const Ref = (what: string) => Text(255, { description: `The id of ${what} there.` });
const OtherRef = (what: string) => Type.Optional(Nullable(Ref(what)));
const Amount = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${description}, in minor units.`,
  });
const Moment = (description: string) => Ms({ maximum: TIME_MAX, description: `${description}, in ms.` });
const optional = (max: number, options: Record<string, unknown> = {}) =>
  Type.Optional(Nullable(Text(max, options)));
const Country = Type.Optional(Nullable(Type.String({ pattern: '^[A-Z]{2}$' })));
const TaxBehavior = Type.Optional(Nullable(StringEnum(['inclusive', 'exclusive'])));
const Quantity = Type.Integer({ minimum: 1, maximum: 100_000 });
const Active = Type.Optional(Type.Boolean({ description: 'False: it is sold to nobody any more.' }));

const line = <T extends Record<string, TSchema>>(kind: LineKind, properties: T) =>
  Type.Object({ kind: Type.Literal(kind), ref: Ref('it'), ...properties }, { additionalProperties: false });

const Meta = Type.Object(
  {
    kind: Type.Literal('meta'),
    format: Type.Literal('counterfoil-import', { description: 'Always this.' }),
    version: Type.Literal(1, { description: 'Of the format.' }),
    source: Type.String({ pattern: '^[a-z0-9_-]{1,40}$', description: 'Where all of it comes from.' }),
    account: optional(255, { description: 'The account there that it comes from.' }),
    currency: Type.Optional(Nullable(Currency())),
  },
  { additionalProperties: false },
);

const LINES = {
  product: line('product', {
    type: ProductType,
    name: Text(200),
    description: Type.Optional(Nullable(Lines(10_000))),
  }),
  variant: line('variant', {
    productRef: Ref('its product'),
    name: Text(200),
    description: Type.Optional(Nullable(Lines(10_000))),
  }),
  offer: line('offer', {
    productRef: Ref('its product'),
    variantRef: OtherRef('its variant'),
    name: optional(200),
    price: Amount('Its price'),
    currency: Currency(),
    interval: Type.Optional(
      Nullable(
        Type.Object(
          {
            unit: StringEnum(['day', 'week', 'month', 'year'], {
              description: 'How long one interval is, with its count.',
            }),
            count: Type.Integer({
              minimum: 1,
              maximum: 1200,
              description: 'How many of these make one interval.',
            }),
          },
          { additionalProperties: false, description: 'How often it is billed; null: once.' },
        ),
      ),
    ),
    taxBehavior: TaxBehavior,
    active: Active,
  }),
  discount: line('discount', {
    name: optional(200),
    code: optional(100, { description: 'What buyers enter; null: none.' }),
    amountType: StringEnum(['fixed', 'percentage']),
    amount: Type.Number({
      exclusiveMinimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Percent, or minor units.',
    }),
    currency: Type.Optional(Nullable(Currency())),
    duration: StringEnum(['once', 'repeating', 'forever']),
    durationIntervals: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1200 }))),
    validUntil: Type.Optional(Nullable(Moment('When it ends'))),
    active: Active,
  }),
  customer: line('customer', {
    email: Text(320),
    name: optional(200),
    language: Type.Optional(Nullable(Type.String({ maxLength: 35 }))),
    billingDetails: Type.Optional(BillingDetails),
    createdAt: Type.Optional(Nullable(Moment('Since when'))),
  }),
  payment_method: line('payment_method', {
    customerRef: Ref('its customer'),
    processor: StringEnum(['stripe'], { description: 'Which processor keeps it.' }),
    processorCustomer: Type.String({
      pattern: '^cus_\\w{1,250}$',
      description: 'The customer’s id at the processor.',
    }),
    processorMethod: Type.String({
      pattern: '^pm_\\w{1,250}$',
      description: 'The method’s id at the processor.',
    }),
    type: Type.Optional(Nullable(Type.String({ pattern: '^[a-z0-9_]{1,50}$' }))),
    brand: optional(40),
    last4: Type.Optional(Nullable(Type.String({ pattern: '^\\d{4}$' }))),
    expMonth: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 1, maximum: 12, description: 'The month in which the card ends, from 1.' }),
      ),
    ),
    expYear: Type.Optional(Nullable(Type.Integer({ minimum: 2000, maximum: 2200 }))),
    isDefault: Type.Optional(
      Type.Boolean({ description: 'Whether it is the one that is charged where none is named.' }),
    ),
  }),
  purchase: line('purchase', {
    customerRef: Ref('its customer'),
    items: Type.Array(
      Type.Object({ offerRef: Ref('the offer'), quantity: Quantity }, { additionalProperties: false }),
      { minItems: 1, maxItems: 100 },
    ),
    value: Amount('What was paid, tax in'),
    tax: Amount('The tax in it'),
    currency: Currency(),
    country: Country,
    createdAt: Moment('When it was made'),
    paidAt: Moment('When it was paid'),
  }),
  key: line('key', {
    offerRef: Ref('its offer'),
    purchaseRef: OtherRef('the purchase that it was given with'),
    key: Text(512, { description: 'The key, whole.' }),
    state: StringEnum(['available', 'sold', 'revoked']),
    limit: Type.Optional(Nullable(Type.Integer({ minimum: 0 }))),
    uses: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          description: 'How often it was activated there; kept for reading alone.',
        }),
      ),
    ),
  }),
  subscription: line('subscription', {
    customerRef: Ref('its customer'),
    status: Text(40, { description: '`active` and `trialing` are brought in.' }),
    items: Type.Array(
      Type.Object(
        { offerRef: Ref('the offer'), quantity: Quantity, unitPrice: Amount('The price of one') },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 50 },
    ),
    currency: Currency(),
    taxBehavior: TaxBehavior,
    discountRef: OtherRef('its discount'),
    discountIntervalsLeft: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 1200,
          description: 'How many more intervals the discount lowers; null: as long as it says.',
        }),
      ),
    ),
    cancelAtIntervalEnd: Type.Optional(Type.Boolean()),
    createdAt: Moment('When it began'),
    anchorAt: Moment('What its calendar is reckoned from'),
    paidUntil: Moment('The end of what was paid for, or of the trial'),
    paymentMethodRef: OtherRef('its method'),
    paidForPeriod: Type.Optional(
      Nullable(
        Type.Object(
          { value: Amount('What was paid for the running period, tax in'), tax: Amount('The tax in it') },
          {
            additionalProperties: false,
            description: 'What was paid there for the running interval; plan changes credit it.',
          },
        ),
      ),
    ),
    nextTotal: Type.Optional(Nullable(Amount('What would be charged there next, tax in'))),
  }),
} as const;

/** A line of an import file; the first is `meta`. */
export const ImportLine = Type.Union([Meta, ...LINE_KINDS.map((kind) => LINES[kind])], {
  $id: 'ImportLine',
  description:
    'A line of an import file: JSON Lines of format `counterfoil-import`, version 1, the first of kind `meta`. Each bears ' +
    'its id there as `ref`; fields that end in `Ref` name lines of the same file or of an earlier one.',
});

interface Compiled {
  Check(value: unknown): boolean;
  Errors(value: unknown): Iterable<ValidationIssue>;
}
const compiled = new Map<string, Compiled>();

/** The schemas are compiled at their first use: most processes read no import. */
function compile(kind: LineKind | 'meta'): Compiled {
  const known = compiled.get(kind);
  if (known) return known;
  const made = Compile(kind === 'meta' ? Meta : LINES[kind]) as unknown as Compiled;
  compiled.set(kind, made);
  return made;
}

export type CheckedLine =
  | { isFine: true; line: Line }
  | { isFine: false; path: string | null; message: string };

interface LineIssue {
  path: string | null;
  message: string;
}

function findIssue(kind: LineKind | 'meta', value: unknown): LineIssue | null {
  const schema = compile(kind);
  if (schema.Check(value)) return null;
  const [first] = schema.Errors(value);
  if (!first) return { path: null, message: 'is not valid' };
  const { path, message } = toIssue(first);
  return { path: path === '' ? null : path, message };
}

export function checkLine(value: { kind?: unknown }): CheckedLine {
  const kind = LINE_KINDS.find((one) => one === value.kind);
  if (!kind) return { isFine: false, path: 'kind', message: `must be one of ${LINE_KINDS.join(', ')}` };
  const issue = findIssue(kind, value);
  // Held to the schema of its kind, whose shape the type repeats.
  return issue ? { isFine: false, ...issue } : { isFine: true, line: value as Line };
}

export function findMetaIssue(value: unknown): LineIssue | null {
  return findIssue('meta', value);
}

export type { MetaLine };
