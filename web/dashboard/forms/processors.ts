/** Fields of a connection, and what stands between them and its body. */
import type { Row } from '../api/objects.ts';
import type { Field } from './types.ts';
import { nest, type Values } from './values.ts';

/** That a buyer may read. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR'] as const;

/** Where transfers go. */
export const TRANSFER_FIELDS: readonly Field[] = [
  { name: 'holder', kind: 'text', hint: 'processor.holderHint' },
  { name: 'iban', label: 'processor.iban', kind: 'text' },
  { name: 'bic', label: 'processor.bic', kind: 'text' },
  { name: 'dueDays', kind: 'number', initial: '14', hint: 'processor.dueDaysHint' },
  {
    name: 'instructions',
    kind: 'rows',
    rowName: 'processor.instruction',
    hint: 'processor.instructionsHint',
    columns: [
      {
        name: 'language',
        label: 'processor.language',
        kind: 'choice',
        required: true,
        options: LANGUAGES,
        names: 'languageName.',
        initial: 'en',
      },
      { name: 'text', label: 'processor.words', kind: 'long', required: true },
    ],
  },
];

/** What the merchant calls it. */
export const PROCESSOR_NAME: Field = {
  name: 'name',
  kind: 'text',
  required: true,
  hint: 'processor.nameHint',
};

/** What lets us into an account of Stripe: written, and never shown again. */
export const ACCOUNT_FIELDS: readonly Field[] = [
  {
    name: 'credentials.secretKey',
    label: 'processor.secretKey',
    kind: 'secret',
    required: true,
    hint: 'processor.secretKeyHint',
  },
  {
    name: 'credentials.publishableKey',
    label: 'processor.publishableKey',
    kind: 'text',
    required: true,
    hint: 'processor.publishableKeyHint',
  },
];

/** The same of PayPal. */
export const PAYPAL_FIELDS: readonly Field[] = [
  {
    name: 'credentials.clientId',
    label: 'processor.clientId',
    kind: 'text',
    required: true,
    hint: 'processor.clientIdHint',
  },
  {
    name: 'credentials.clientSecret',
    label: 'processor.clientSecret',
    kind: 'secret',
    required: true,
    hint: 'processor.clientSecretHint',
  },
];

/** Of one kind alone. */
export const ofKind = (wanted: string, fields: readonly Field[]): Field[] =>
  fields.map((field) => ({ ...field, when: ({ kind }) => kind === wanted }));

/** Which money it is asked for. */
export const ROUTING_FIELDS: readonly Field[] = [
  { name: 'currencies', kind: 'lines', hint: 'processor.currenciesHint' },
  { name: 'countries', kind: 'lines', hint: 'processor.countriesHint' },
  { name: 'priority', kind: 'number', hint: 'processor.priorityHint' },
];

/** The API's words by language as rows, one each. */
export function toProcessorRow(row: Row): Row {
  const { instructions } = row;
  const given = typeof instructions === 'object' && instructions !== null ? instructions : {};
  return { ...row, instructions: Object.entries(given).map(([language, text]) => ({ language, text })) };
}

/** The rows as the API takes them; of two in one language the later counts. */
export function toProcessorBody(filled: Values): Values {
  const { instructions } = filled;
  if (!Array.isArray(instructions)) return nest(filled);
  const words = (instructions as Values[]).map(({ language, text }) => [String(language), text ?? '']);
  return nest({ ...filled, instructions: Object.fromEntries(words) });
}
