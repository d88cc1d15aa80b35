/** The few schema builders that every resource uses, over TypeBox. */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { CURRENCIES } from '../domain/money/currency.ts';
import { ID_OR_NUMBER } from '../domain/numbers.ts';

const MINOR_MAX = Number.MAX_SAFE_INTEGER;

/**
 * `type: [t, 'null']` instead of a union: the compiled serialiser handles it with a plain check where a
 * union would run the validator on every answer. A component says its type elsewhere: the serialiser would
 * write `{}` for null, so that it is a union after all.
 */
export function Nullable<T extends TSchema>(schema: T) {
  const plain = schema as unknown as { $ref?: string; type?: string | string[]; enum?: unknown[] };
  if (plain.$ref !== undefined) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] });
  const type = plain.type ? { type: [plain.type, 'null'].flat() } : {};
  const values = plain.enum ? { enum: [...plain.enum, null] } : {};
  return Type.Unsafe<Static<T> | null>({ ...schema, ...type, ...values, $id: undefined });
}

export function StringEnum<const T extends readonly string[]>(
  values: T,
  options: Record<string, unknown> = {},
) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/** Points to a shared component by its `$id`. */
export function Component<T extends TSchema>(schema: T & { $id?: string }) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}

/** Says at its place what a shared shape means there. */
export function Described<T extends TSchema>(schema: T, description: string) {
  // A schema is plain JSON; what it accepts stays the same.
  return Type.Unsafe<Static<T>>({ ...schema, description });
}

export const Uuid = (options: Record<string, unknown> = {}) => Type.String({ format: 'uuid', ...options });
/** In the path of an order, a payment or a subscription. */
export const IdOrNumber = (options: Record<string, unknown> = {}) =>
  Type.String({ pattern: ID_OR_NUMBER, maxLength: 64, ...options });
/** Integer minor units, any sign. */
export const Minor = (options: Record<string, unknown> = {}) =>
  Type.Integer({ minimum: -MINOR_MAX, maximum: MINOR_MAX, ...options });
/** Said where a code is given beside sales: one discount applies to an order. */
export const CodeUnused = () =>
  Type.Boolean({
    description:
      'The code that was given is valid, and was not used: a running sale takes as much off or more, or the code takes nothing off.',
  });
/** Minor units. Many amounts together may pass the bound of one, beyond which JSON's readers round. */
export const Sum = (options: Record<string, unknown> = {}) => Type.Integer({ ...options, 'x-sum': true });
/** A unit price on input: in major units for key pairs that were made so, which the door brings to minor ones. */
export const PriceInput = (options: Record<string, unknown> = {}) =>
  Minor({ minimum: 0, 'x-price': 'always', ...options });
/** A moment in integer Unix ms. */
export const Ms = (options: Record<string, unknown> = {}) =>
  Type.Integer({ minimum: 0, maximum: MINOR_MAX, ...options });
/** The end of the year 9999: the calendar ends not far beyond what a safe integer can say. */
export const TIME_MAX = 253_402_300_799_999;
/** A moment on input: seconds are taken too, ISO 8601 in a query as well (the door converts). */
export const TimeInput = (options: Record<string, unknown> = {}) =>
  Type.Integer({ minimum: 0, maximum: TIME_MAX, 'x-time': true, ...options });
/** A bound of a list's times: any safe integer, since what is later than the calendar is later than all rows. */
export const TimeBound = (options: Record<string, unknown> = {}) =>
  TimeInput({ maximum: MINOR_MAX, ...options });
/** The later of two bounds, itself within: whoever names a day alone means it to its end. */
export const TimeBoundTo = (options: Record<string, unknown> = {}) =>
  TimeBound({ 'x-whole-day': true, ...options });
/** The same as `TimeInput` where clients also write ISO 8601; a text that is none is the operation's to refuse. */
export const TimeOrTextInput = (options: Record<string, unknown> = {}) =>
  Type.Unsafe<number | string>({
    ...{ type: ['integer', 'string'], minimum: 0, maximum: TIME_MAX, maxLength: 40, 'x-time': true },
    ...options,
  });
/** Raised by edits alone; an update tells with it which one it was made of. */
export const Version = () =>
  Type.Integer({
    description: 'Raised by each edit; the answer’s ETag, and what If-Match is compared with.',
  });
export const Currency = (options: Record<string, unknown> = {}) => StringEnum(CURRENCIES, options);
/** A currency on input: taken in any case. */
export const CurrencyInput = (options: Record<string, unknown> = {}) =>
  Currency({ 'x-upper-case': true, ...options });
/** Names are printed in mails, documents, logs and headers: what moves a cursor or breaks a line is none. */
export const ONE_LINE = '^\\P{Cc}*$';
/** Texts of several lines keep their breaks and tabs. */
export const LINES = '^(?:\\P{Cc}|[\\t\\n\\r])*$';
/** A name or another text of one line. */
export const Text = (max: number, options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: max, pattern: ONE_LINE, ...options });
/** The same where nothing may be given as an empty text. */
export const TextOrNone = (max: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength: max, pattern: ONE_LINE, ...options });
/** A description, a note: may have several lines, and be empty. */
export const Lines = (max: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength: max, pattern: LINES, ...options });

/** All fields of a returned object are declared, required and nothing else leaves. */
export function Answer<T extends Record<string, TSchema>>(id: string | null, properties: T): TObject<T> {
  return Type.Object(properties, { ...(id ? { $id: id } : {}), additionalProperties: false }) as TObject<T>;
}

/** A request body: unknown fields are refused, so that a typo is not lost. */
export function Body<T extends Record<string, TSchema>>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}
