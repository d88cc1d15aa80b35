/**
 * Reads the parameters of each call that the stand-in answers from the official client's types, and writes them to
 * `src/params/params.json`: `node --import ./scripts/typescript.mjs doubles/stripe/scripts/generate-params.ts`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Shape } from '../src/params/shape.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RESOURCES = `${ROOT}node_modules/stripe/esm/resources`;
const OUTPUT = fileURLToPath(new URL('../src/params/params.json', import.meta.url));

/** By file of the client's types. */
const PARAMS: Readonly<Record<string, readonly string[]>> = {
  Accounts: ['AccountRetrieveParams'],
  BalanceTransactions: ['BalanceTransactionListParams', 'BalanceTransactionRetrieveParams'],
  Balance: ['BalanceRetrieveParams'],
  Charges: ['ChargeListParams', 'ChargeRetrieveParams', 'ChargeSearchParams', 'ChargeUpdateParams'],
  ConfirmationTokens: ['ConfirmationTokenRetrieveParams'],
  Customers: [
    'CustomerCreateParams',
    'CustomerListParams',
    'CustomerListPaymentMethodsParams',
    'CustomerRetrieveParams',
    'CustomerSearchParams',
    'CustomerUpdateParams',
  ],
  Disputes: ['DisputeCloseParams', 'DisputeListParams', 'DisputeRetrieveParams', 'DisputeUpdateParams'],
  Events: ['EventListParams', 'EventRetrieveParams'],
  Mandates: ['MandateRetrieveParams'],
  PaymentIntents: [
    'PaymentIntentCancelParams',
    'PaymentIntentCaptureParams',
    'PaymentIntentConfirmParams',
    'PaymentIntentCreateParams',
    'PaymentIntentListParams',
    'PaymentIntentRetrieveParams',
    'PaymentIntentSearchParams',
    'PaymentIntentUpdateParams',
  ],
  PaymentMethodConfigurations: [
    'PaymentMethodConfigurationCreateParams',
    'PaymentMethodConfigurationListParams',
    'PaymentMethodConfigurationRetrieveParams',
    'PaymentMethodConfigurationUpdateParams',
  ],
  PaymentMethodDomains: [
    'PaymentMethodDomainCreateParams',
    'PaymentMethodDomainListParams',
    'PaymentMethodDomainRetrieveParams',
    'PaymentMethodDomainUpdateParams',
    'PaymentMethodDomainValidateParams',
  ],
  PaymentMethods: [
    'PaymentMethodAttachParams',
    'PaymentMethodCreateParams',
    'PaymentMethodDetachParams',
    'PaymentMethodListParams',
    'PaymentMethodRetrieveParams',
    'PaymentMethodUpdateParams',
  ],
  Payouts: ['PayoutListParams', 'PayoutRetrieveParams'],
  'Radar/EarlyFraudWarnings': ['EarlyFraudWarningListParams', 'EarlyFraudWarningRetrieveParams'],
  Refunds: [
    'RefundCancelParams',
    'RefundCreateParams',
    'RefundListParams',
    'RefundRetrieveParams',
    'RefundUpdateParams',
  ],
  SetupIntents: [
    'SetupIntentCancelParams',
    'SetupIntentConfirmParams',
    'SetupIntentCreateParams',
    'SetupIntentListParams',
    'SetupIntentRetrieveParams',
    'SetupIntentUpdateParams',
  ],
  'TestHelpers/ConfirmationTokens': ['ConfirmationTokenCreateParams'],
  WebhookEndpoints: [
    'WebhookEndpointCreateParams',
    'WebhookEndpointListParams',
    'WebhookEndpointRetrieveParams',
    'WebhookEndpointUpdateParams',
  ],
};

/** Below these, only the types of methods that the stand-in knows are told apart; of the others any parameter will do. */
const BY_METHOD = /^(payment_method_data|payment_method_options)$/;
const METHODS = new Set([
  ...['bacs_debit', 'bancontact', 'card', 'card_present', 'eps', 'ideal', 'klarna', 'link', 'p24', 'paypal'],
  ...['sepa_debit', 'us_bank_account'],
]);
const NOT_METHODS = new Set(['allow_redisplay', 'billing_details', 'metadata', 'radar_options', 'type']);

const program = ts.createProgram(
  Object.keys(PARAMS).map((file) => `${RESOURCES}/${file}.d.ts`),
  { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, skipLibCheck: true },
);
const checker = program.getTypeChecker();
const shapes: Record<string, Shape> = {};
for (const [file, names] of Object.entries(PARAMS)) {
  const source = program.getSourceFile(`${RESOURCES}/${file}.d.ts`);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`There is no ${file}`);
  const exported = [...checker.getExportsOfModule(module)];
  for (const nested of [...exported]) {
    if (nested.flags & ts.SymbolFlags.Namespace) exported.push(...(nested.exports?.values() ?? []));
  }
  for (const name of names) {
    const symbol = exported.find((one) => one.name === name && one.flags & ts.SymbolFlags.Interface);
    if (!symbol) throw new Error(`${file} has no ${name}`);
    shapes[name] = toShape(checker.getDeclaredTypeOfSymbol(symbol), name);
  }
}
writeFileSync(OUTPUT, `${JSON.stringify(shapes, null, 2)}\n`);

function toShape(type: ts.Type, name: string): Shape {
  const parts = type.isUnion() ? type.types : [type];
  const real = parts.filter((part) => !(part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
  const texts = real.filter((part) => part.isStringLiteral());
  const literals = texts.map((part) => (part as ts.StringLiteralType).value).filter((text) => text !== '');
  const others = real.filter((part) => !part.isStringLiteral());
  const objects = others.filter((part) => part.flags & ts.TypeFlags.Object && !isDate(part));
  const shape = toCore(others, objects, literals, name);
  const isEmptyable = texts.some((part) => (part as ts.StringLiteralType).value === '');
  return isEmptyable && shape.is !== 'string' ? { ...shape, mayBeEmpty: true } : shape;
}

function toCore(others: ts.Type[], objects: ts.Type[], literals: string[], name: string): Shape {
  const object = objects[0];
  const hasNumber = others.some((part) => part.flags & ts.TypeFlags.NumberLike);
  if (object && checker.isArrayType(object)) {
    const [item] = checker.getTypeArguments(object as ts.TypeReference);
    return { is: 'array', of: item ? toShape(item, name) : { is: 'any' } };
  }
  if (object && !isOtherString(object)) {
    const index = checker.getIndexInfoOfType(object, ts.IndexKind.String);
    if (index) return { is: 'map' };
    const scalar = hasNumber
      ? 'integer'
      : literals.length > 0
        ? 'string'
        : isBoolean(others)
          ? 'boolean'
          : undefined;
    return { is: 'object', fields: toFields(object, name), ...(scalar ? { orScalar: scalar } : {}) };
  }
  if (hasNumber) return { is: isFraction(name) ? 'number' : 'integer' };
  if (isBoolean(others)) return { is: 'boolean' };
  if (literals.length > 0) return { is: 'string', oneOf: literals.sort() };
  return { is: 'string' };
}

function toFields(type: ts.Type, name: string): Record<string, Shape> {
  const fields: Record<string, Shape> = {};
  for (const property of checker.getPropertiesOfType(type)) {
    const key = property.name;
    const isKnown = !BY_METHOD.test(name) || METHODS.has(key) || NOT_METHODS.has(key);
    const shape: Shape = isKnown ? toShape(checker.getTypeOfSymbol(property), key) : { is: 'any' };
    const isRequired = !(property.flags & ts.SymbolFlags.Optional);
    fields[key] = isRequired ? { ...shape, isRequired: true } : shape;
  }
  return fields;
}

function isBoolean(parts: ts.Type[]): boolean {
  return parts.some((part) => part.flags & ts.TypeFlags.BooleanLike);
}

/** `string & {}`, which lets a list of literals be open. */
function isOtherString(type: ts.Type): boolean {
  return type.isIntersection();
}

function isDate(type: ts.Type): boolean {
  return type.symbol?.name === 'Date';
}

function isFraction(name: string): boolean {
  return name === 'percentage' || name === 'rate';
}
