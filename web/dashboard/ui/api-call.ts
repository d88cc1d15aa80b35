/** How the same answer is had over the API. Keys are named by the variables that hold them, never written out. */
import { type Row, rowOf, textOf } from '../api/objects.ts';

export interface ApiCallOf {
  path: string;
  mode: 'live' | 'test';
  method?: string;
  body?: unknown;
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function toCurl({ path, method = 'GET', body }: Omit<ApiCallOf, 'mode'>): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(`${window.location.origin}${path}`)}`,
    `  -H "x-svc-public-key: $PUBLIC_KEY"`,
    `  -H "x-svc-secret-key: $SECRET_KEY"`,
  ];
  if (body !== undefined)
    lines.push(`  -H 'content-type: application/json'`, `  -d ${quote(JSON.stringify(body))}`);
  return lines.join(' \\\n');
}

export function toTypeScript({ path, method = 'GET', body }: ApiCallOf): string {
  const rest = body === undefined ? '' : `\n  body: JSON.stringify(${JSON.stringify(body)}),`;
  return `const response = await fetch('${window.location.origin}${path}', {
  method: '${method}',
  headers: {
    'x-svc-public-key': process.env.PUBLIC_KEY,
    'x-svc-secret-key': process.env.SECRET_KEY,${body === undefined ? '' : "\n    'content-type': 'application/json',"}
  },${rest}
});
const { data } = await response.json();`;
}

/** A call that was written down, with the body that was kept of it: secrets are left out and have to be filled in. */
export function toLoggedCurl(row: Row): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rowOf(row, 'query') ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  const path = `${textOf(row, 'path')}${query.size > 0 ? `?${query}` : ''}`;
  const method = textOf(row, 'method');
  return toCurl({ path, method, ...(method === 'GET' ? {} : { body: row.requestBody ?? {} }) });
}
