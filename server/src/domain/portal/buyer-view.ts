/** What a buyer is shown of an answer: what the shop keeps for itself is left out, wherever it stands. */

/** Fields that no answer of the portal has. */
export const HIDDEN_FROM_BUYERS: ReadonlySet<string> = new Set([
  'fee',
  'internalId',
  'paymentData',
  'ipAddress',
]);

/** A copy of an answer's data without what is not the buyer's to see. */
export function toBuyerView(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(toBuyerView);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) =>
      HIDDEN_FROM_BUYERS.has(name) ? [] : [[name, toBuyerView(value)]],
    ),
  );
}
