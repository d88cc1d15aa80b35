/** Keys and JSON types of objects, without their values. */

export type Digest = string | { [key: string]: Digest };

/** The objects that the stand-in has. */
export const COMPARED = [
  ...[
    'account',
    'balance',
    'balance_transaction',
    'charge',
    'confirmation_token',
    'customer',
    'dispute',
    'event',
  ],
  ...['mandate', 'payment_intent', 'payment_method', 'payment_method_configuration', 'payment_method_domain'],
  ...['payout', 'radar.early_fraud_warning', 'refund', 'setup_intent', 'webhook_endpoint'],
];
/** What hangs on the thing that the sample is of, and not on the kind of object. */
const FREE = new Set(['data', 'metadata']);

export function toDigest(value: unknown, key = ''): Digest {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object' || FREE.has(key)) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, toDigest(one, name)]),
  );
}

export function readDigest(text: string): Record<string, Digest> {
  const { resources } = JSON.parse(text) as { resources: Record<string, unknown> };
  return Object.fromEntries(COMPARED.map((name) => [name, toDigest(resources[name])]));
}

/** Where ours lacks a key of theirs or has another type; null stands for any type. */
export function findDifferences(ours: Digest, theirs: Digest, at: string): string[] {
  if (ours === 'null' || theirs === 'null') return [];
  if (typeof ours === 'string' || typeof theirs === 'string') {
    if (ours === theirs) return [];
    return [`${at}: ${toWord(ours)}, not ${toWord(theirs)}`];
  }
  return Object.entries(theirs).flatMap(([name, wanted]) => {
    const own = ours[name];
    return own === undefined ? [`${at}.${name} lacks`] : findDifferences(own, wanted, `${at}.${name}`);
  });
}

function toWord(digest: Digest): string {
  return typeof digest === 'string' ? digest : 'object';
}
