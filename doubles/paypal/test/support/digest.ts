/** PayPal's published descriptions, cut down to what a test needs: the type of each field, and its words. */

interface Schema {
  $ref?: string;
  type?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

/** `purchase_units[].payments.captures[].status` → its type, or its words */
export type Digest = Record<string, string | string[]>;

export const COMPARED = {
  order: ['paypal-checkout_orders_v2.json', 'order'],
  capture: ['paypal-payments_payment_v2.json', 'capture-2'],
  refund: ['paypal-payments_payment_v2.json', 'refund'],
  dispute: ['paypal-customer_disputes_v1.json', 'dispute'],
  webhook: ['paypal-notifications_webhooks_v1.json', 'webhook'],
  event: ['paypal-notifications_webhooks_v1.json', 'event'],
  setup_token: ['paypal-vault_payment_tokens_v3.json', 'setup_token_response'],
  payment_token: ['paypal-vault_payment_tokens_v3.json', 'payment_token_response'],
  transactions: ['paypal-reporting_transactions_v1.json', 'search_response'],
  balances: ['paypal-reporting_transactions_v1.json', 'balances_response'],
} as const;

const DEPTH_MAX = 9;
/** Ways to pay that we do not take. */
const OTHERS = new RegExp(
  [
    '^payment_source\\.(?!paypal|token)',
    '^purchase_units\\[\\]\\.(shipping|items|supplementary|payment_i)',
    '(^|\\.)(extensions|shipping\\w*|cart_info|incentive_info|authorizations|phone\\w*|platform_fees)(\\.|$|\\[)',
  ].join('|'),
);

export function toDigest(schemas: Record<string, Schema>, name: string): Digest {
  const digest: Digest = {};
  if (!schemas[name]) throw new Error(`no schema ${name}`);
  walk(schemas, { $ref: `#/components/schemas/${name}` }, '', digest, 0);
  return digest;
}

function walk(
  schemas: Record<string, Schema>,
  given: Schema,
  path: string,
  digest: Digest,
  depth: number,
): void {
  if (depth > DEPTH_MAX || OTHERS.test(path)) return;
  const schema = given.$ref ? (schemas[given.$ref.split('/').pop() ?? ''] ?? {}) : given;
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    walk(schemas, part, path, digest, depth);
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    walk(schemas, field, path === '' ? name : `${path}.${name}`, digest, depth + 1);
  if (schema.items) walk(schemas, schema.items, `${path}[]`, digest, depth + 1);
  if (path !== '' && schema.type) digest[path] = schema.enum ?? schema.type;
}

/** What the object says otherwise; a field that the digest lacks is none. */
export function findDifferences(digest: Digest, value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    const stray = path !== '' && !fits(digest[path], value) ? [`${path} is a list`] : [];
    return [...stray, ...value.flatMap((one) => findDifferences(digest, one, `${path}[]`))];
  }
  const own = path !== '' && !fits(digest[path], value) ? [`${path} is ${JSON.stringify(value)}`] : [];
  if (typeof value !== 'object' || value === null) return own;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return [
    ...own,
    ...fields.flatMap(([name, field]) =>
      findDifferences(digest, field, path === '' ? name : `${path}.${name}`),
    ),
  ];
}

function fits(said: string | string[] | undefined, value: unknown): boolean {
  if (said === undefined) return true;
  if (Array.isArray(said)) return typeof value === 'string' && said.includes(value);
  if (said === 'array') return Array.isArray(value);
  if (said === 'integer') return Number.isInteger(value);
  if (said === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === said;
}
