/** How the same answer is had over the API. Keys are named by the variables that hold them, never written out. */
export interface ApiCallOf {
  path: string;
  mode: 'live' | 'test';
  method?: string;
  body?: unknown;
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export function toCurl({ path, method = 'GET', body }: ApiCallOf): string {
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
