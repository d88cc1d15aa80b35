/** What buyers pay by, in the words of the API: a connection is asked for those that it is set to take. */

/** Taken by fields of the processor's own, in the order in which they are offered. */
export const FIELD_TYPES = [
  ...(['card', 'link', 'ideal', 'bancontact', 'eps', 'p24', 'klarna'] as const),
  ...(['sepa_debit', 'bacs_debit'] as const),
] as const;

export const METHOD_TYPES = ['transfer', 'paypal', ...FIELD_TYPES] as const;

/** Of which a kept one is a debit of a bank's, that takes days: also of what was paid at once when it was given. */
export const DAYS_WHEN_KEPT: ReadonlySet<string> = new Set([
  'sepa_debit',
  'bacs_debit',
  'ideal',
  'bancontact',
]);
