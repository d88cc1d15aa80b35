/** A request of each operation as a command of the shell: what the reference page shows to copy. */
import type { TSchema } from 'typebox';
import type { Route } from './route.ts';

/** Stands for the reader's own object. */
export const SAMPLE_ID = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
const SAMPLE_OWNER_ID = '018f3c5e-6a19-7b2c-9d3e-4f5a6b7c8d9e';
/** Of what goes by its number, too: an order, payment or subscription, and a document. */
const SAMPLE_NUMBERS = ['7K3M9XQ2V8TD', 'INV-2026-000001'] as const;

type Sampled = Pick<
  Route,
  'audience' | 'method' | 'path' | 'needsSecret' | 'params' | 'body' | 'example' | 'exampleQuery' | 'intake'
>;

/** The route's example; an operation that needs no field, or none but the path's id, gets one of its own. */
export function toExample({ body, example }: Pick<Route, 'body' | 'example'>): unknown {
  if (example !== undefined || !body) return example;
  const required = fieldsOf(body).required ?? [];
  if (required.length === 0) return {};
  return required.length === 1 && required[0] === 'id' ? { id: SAMPLE_ID } : undefined;
}

/** A curl command that takes the keys from the environment. `origin` is the service's own address. */
export function toCurl(route: Sampled, origin: string): string {
  const query = route.exampleQuery ? `?${new URLSearchParams(route.exampleQuery)}` : '';
  const url = `${origin}${fillPath(route)}${query}`;
  const parts = [`curl${route.method === 'GET' ? '' : ` -X ${route.method}`} ${quote(url)}`];
  if (route.audience === 'account' || route.audience === 'installation')
    parts.push('-H "cookie: cf_session=$SVC_SESSION"');
  if (route.audience === 'buyer') parts.push('-H "authorization: Bearer $SVC_PORTAL_TOKEN"');
  else if (route.audience && route.method !== 'GET')
    parts.push(`-H ${quote(`origin: ${new URL(origin).origin}`)}`);
  if (!route.audience) parts.push('-H "x-svc-public-key: $COUNTERFOIL_PUBLIC_KEY"');
  if (route.needsSecret && !route.audience) parts.push('-H "x-svc-secret-key: $COUNTERFOIL_SECRET_KEY"');
  if (route.intake) {
    const { name, type } = route.intake.sample;
    parts.push(`-H 'content-type: ${type}'`, `-H 'x-file-name: ${name}'`, `--data-binary '@${name}'`);
  } else if (route.body) {
    const json = JSON.stringify(toExample(route) ?? {});
    parts.push("-H 'content-type: application/json'", `-d ${quote(json)}`);
  }
  return parts.join(' \\\n  ');
}

/** Where the description that is written down has the service. */
const WRITTEN_ORIGIN = 'http://localhost:3000';

/** A command that was made for there, for another `origin`. */
export function moveCurl(source: string, origin: string): string {
  const quoted = quote(origin).slice(0, -1);
  return source
    .replace(`'origin: ${WRITTEN_ORIGIN}'`, () => quote(`origin: ${new URL(origin).origin}`))
    .replace(`'${WRITTEN_ORIGIN}/`, () => `${quoted}/`);
}

/** An object is the last one of a path; what it belongs to comes before it. */
export function fillPath({ path, params }: Pick<Route, 'path' | 'params'>): string {
  const names = path.match(/:\w+/g) ?? [];
  const { properties = {} } = fieldsOf(params);
  return path.replace(/:(\w+)/g, (all, name: string) => {
    const { format, pattern = '' } = properties[name] ?? {};
    if (format === 'uuid') return all === names.at(-1) ? SAMPLE_ID : SAMPLE_OWNER_ID;
    return SAMPLE_NUMBERS.find((number) => new RegExp(pattern).test(number)) ?? SAMPLE_NUMBERS[0];
  });
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

interface Fields {
  properties?: Record<string, { format?: string; pattern?: string; type?: string | string[] }>;
  required?: string[];
}

/** A TObject carries plain JSON schema. */
export function fieldsOf(schema: TSchema | undefined): Fields {
  return (schema ?? {}) as unknown as Fields;
}
