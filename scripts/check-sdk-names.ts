/** R10: what the description says of how clients call an operation. */
import {
  type Description,
  dataOf,
  listDescribed,
  type NamedOperation,
  resolve,
  type Schema,
} from './described.ts';

const PLAIN_NAME = /^[a-z][A-Za-z]*$/;

export function checkSdkNames(description: Description): string[] {
  const all = listDescribed(description.paths);
  return [...all.flatMap((named) => checkName(description, named)), ...findTwice(all)];
}

function checkName(description: Description, { one }: NamedOperation): string[] {
  const sdk = one['x-sdk'];
  const isOfPairs = (one.security ?? []).some((keys) => 'publicKey' in keys);
  if (!isOfPairs)
    return sdk === false ? [] : [`${one.operationId} is not for key pairs, and its x-sdk is not false`];
  if (!sdk) return [`${one.operationId} has no x-sdk: name it in server/src/http/description/sdk-names.ts`];
  const { resource, method, columns } = sdk;
  const problems: string[] = [];
  if (!PLAIN_NAME.test(method) || !(resource === '' || PLAIN_NAME.test(resource)))
    problems.push(`${one.operationId}: ${resource}.${method} is not a name in camelCase`);
  const rows = rowsOf(description, dataOf(description, one) ?? {});
  const fields = rows && fieldsOf(description, rows);
  for (const column of columns)
    if (!fields?.has(column)) problems.push(`${one.operationId}: its rows have no column ${column}`);
  if (rows && one.operationId.startsWith('list') && columns.length === 0)
    problems.push(`${one.operationId}: no columns for tables`);
  return problems;
}

/** What the first list of objects in an answer is made of. */
function rowsOf(description: Description, data: Schema): Schema | undefined {
  const lists = Object.values(data.properties ?? {}).flatMap(({ items }) => (items ? [items] : []));
  return lists.find((items) => fieldsOf(description, items).size > 0);
}

function fieldsOf(description: Description, schema: Schema): Set<string> {
  const { properties = {}, anyOf = [], oneOf = [] } = resolve(description, schema);
  const parts = [...anyOf, ...oneOf].flatMap((part) => [...fieldsOf(description, part)]);
  return new Set([...Object.keys(properties), ...parts]);
}

function findTwice(all: readonly NamedOperation[]): string[] {
  const seen = new Map<string, string>();
  return all.flatMap(({ one }) => {
    const sdk = one['x-sdk'];
    if (!sdk) return [];
    const name = `${sdk.resource}.${sdk.method}`;
    const other = seen.get(name);
    seen.set(name, one.operationId);
    return other === undefined ? [] : [`${other} and ${one.operationId} are both ${name}`];
  });
}
