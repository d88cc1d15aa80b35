/** R7: what is taken on input under a second name, for clients that were written for it. Generators leave it out. */
import { type Description, jsonOf, listDescribed, partsOf, type Schema } from './document.ts';

/** Wherever both names stand side by side; `operations` narrows it. */
const ALIASES: ReadonlyArray<{ alias: string; of: string; operations?: RegExp }> = [
  { alias: 'status', of: 'statuses' },
  { alias: 'type', of: 'types' },
  { alias: 'kind', of: 'kinds' },
  { alias: 'currency', of: 'currencies' },
  { alias: 'country', of: 'countries' },
  { alias: 'termOrId', of: 'term' },
  { alias: 'externalId', of: 'internalId' },
  { alias: 'price', of: 'unitPrice' },
  { alias: 'value', of: 'unitPrice' },
  { alias: 'taxId', of: 'taxIdType' },
  { alias: 'eventType', of: 'type', operations: /^sendTestEvent$/ },
  { alias: 'code', of: 'discountCode', operations: /^(create|update)Discount$/ },
  { alias: 'expiresAt', of: 'validUntil', operations: /^(create|update)Discount$/ },
  { alias: 'name', of: 'username', operations: /^(create|update)User$/ },
  { alias: 'keys', of: 'productKeys', operations: /^addOfferKeys$/ },
  { alias: 'plans', of: 'variants', operations: /^createProduct$/ },
  { alias: 'offers', of: 'offersIds', operations: /^(create|update)CheckoutElement$/ },
  { alias: 'recurring', of: 'recurringInterval', operations: /^(create|update)(Offer|Product)$/ },
  { alias: 'cancelOption', of: 'cancelAtIntervalEnd', operations: /^cancelSubscription$/ },
  { alias: 'immediately', of: 'cancelAtIntervalEnd', operations: /^cancelSubscription$/ },
  { alias: 'limit', of: 'take', operations: /^list(Users|Inventory)$/ },
];

export function markAliases({ paths }: Description): void {
  for (const { path, one } of listDescribed(paths)) {
    const { operationId, parameters = [] } = one;
    const query = parameters.filter((parameter) => parameter.in === 'query');
    mark(Object.fromEntries(query.map((parameter) => [parameter.name, parameter])), operationId);
    const body = jsonOf(one.requestBody)?.schema;
    if (body) markWithin(body, operationId);
    const { id } = body?.properties ?? {};
    const last = path.match(/\{(\w+)\}/g)?.at(-1);
    if (id && last && !body?.required?.includes('id'))
      Object.assign(id, { deprecated: true, 'x-alias-of': last.slice(1, -1) });
  }
}

function markWithin(schema: Schema, operationId: string): void {
  if (schema.properties) mark(schema.properties, operationId);
  for (const [, part] of partsOf(schema)) markWithin(part, operationId);
}

interface Markable {
  deprecated?: boolean;
  'x-alias-of'?: string;
}

function mark(fields: Record<string, Markable>, operationId: string): void {
  for (const { alias, of, operations } of ALIASES) {
    const field = fields[alias];
    if (!field || !fields[of] || (operations && !operations.test(operationId))) continue;
    Object.assign(field, { deprecated: true, 'x-alias-of': of });
  }
}
