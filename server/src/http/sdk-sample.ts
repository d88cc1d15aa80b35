/** A request of each operation as a call of the SDK, which takes address and keys from the environment. */
import type { TSchema } from 'typebox';
import type { SdkName } from './description/document.ts';
import type { Route } from './route.ts';
import { fieldsOf, fillPath, toExample } from './samples.ts';

const OPENING = "import { Counterfoil } from '@counterfoil/sdk';\n\nconst shop = new Counterfoil();\n";

type Sampled = Pick<
  Route,
  'method' | 'path' | 'params' | 'body' | 'query' | 'example' | 'exampleQuery' | 'intake' | 'data'
>;

export function toSdkSample(route: Sampled, { resource, method }: SdkName): string {
  const name = `shop.${resource === '' ? '' : `${resource}.`}${method}`;
  const call = `${name}(${toArguments(route).join(', ')})`;
  const fields = Object.keys(fieldsOf(route.data).properties ?? {});
  if (fields.includes('hasMore') && fields.includes('previousCursor')) {
    const rows = fields.find((field) => isList(route.data, field)) ?? 'rows';
    const one = toVariable(rows.replace(/ies$/, 'y').replace(/s$/, ''));
    return `${OPENING}for await (const ${one} of ${call}) console.log(${one});`;
  }
  const opening = route.intake ? `import { openAsBlob } from 'node:fs';\n${OPENING}` : OPENING;
  if (fields.length === 0) return `${opening}await ${call};`;
  const names = fields.map((field) =>
    toVariable(field) === field ? field : `${field}: ${toVariable(field)}`,
  );
  return `${opening}const { ${names.join(', ')} } = await ${call};`;
}

/** Words of the language that are names of fields. */
const RESERVED: ReadonlySet<string> = new Set(['import', 'export']);
const toVariable = (field: string) => (RESERVED.has(field) ? `${field}ed` : field);

function toArguments(route: Sampled): string[] {
  const ids = fillPath(route)
    .split('/')
    .filter((_part, at) => route.path.split('/')[at]?.startsWith(':'))
    .map((id) => `'${id}'`);
  if (route.intake) {
    const { name, type } = route.intake.sample;
    return [`{\n  data: await openAsBlob('${name}'),\n  fileName: '${name}',\n  type: '${type}',\n}`];
  }
  if (route.method === 'GET') {
    const query = toQuery(route);
    return query === null ? ids : [...ids, write(query)];
  }
  const { id, ...rest } = (toExample(route) ?? {}) as Record<string, unknown>;
  const [first, ...others] = fieldsOf(route.body).required ?? [];
  // An id that only repeats the path's is the client's to send.
  const body = id === undefined || (first === 'id' && others.length === 0) ? rest : { id, ...rest };
  return Object.keys(body).length === 0 ? ids : [...ids, write(body)];
}

/** As the schema has them: an address knows texts alone. */
function toQuery({ query, exampleQuery }: Sampled): Record<string, unknown> | null {
  if (!exampleQuery) return null;
  const { properties = {} } = fieldsOf(query);
  return Object.fromEntries(
    Object.entries(exampleQuery).map(([name, value]) => {
      const { type } = properties[name] ?? {};
      if (type === 'integer' || type === 'number') return [name, Number(value)];
      if (type === 'boolean') return [name, value === 'true'];
      return [name, type === 'array' ? String(value).split(',') : value];
    }),
  );
}

/** A value as the language writes it. */
function write(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (text, inner: string) =>
      inner.includes("'") || inner.includes('\\') ? text : `'${inner}'`,
    );
}

function isList(schema: TSchema, field: string): boolean {
  return fieldsOf(schema).properties?.[field]?.type === 'array';
}
