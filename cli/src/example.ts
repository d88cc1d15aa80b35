/** What the help of an operation shows: its sample in the description, as a command. */
import { ASKS } from './asks.ts';
import type { Field, Operation } from './operations.ts';

interface Sampled {
  /** The description's sample for the shell. */
  sample: string;
  body: unknown;
}

export function toExample(operation: Omit<Operation, 'example'>, { sample, body }: Sampled): string {
  const { noun, verb, path, query, ids } = operation;
  const url = /'(https?:[^']*)'/.exec(sample)?.[1];
  const sampled = url === undefined ? null : new URL(url);
  const parts = ['counterfoil', noun, verb, ...toIds(path, sampled?.pathname ?? '')].filter(Boolean);
  if (ids.length > 0 && sampled === null) parts.push(...ids.map((id) => `<${id}>`));
  for (const [name, value] of sampled?.searchParams ?? []) {
    const field = query.find(({ path: [first] }) => first === name);
    if (field) parts.push(`--${field.flag}`, quote(value));
  }
  if (isObject(body)) parts.push(...toFlags(operation.body, body));
  if (operation.method !== 'GET' && ASKS.test(verb)) parts.push('--yes');
  return parts.join(' ');
}

/** The words of the sample's address where the path has names. */
function toIds(path: string, sampled: string): string[] {
  const words = sampled.split('/');
  return path.split('/').flatMap((word, at) => (word.startsWith('{') ? [words[at] ?? ''] : []));
}

/** By flags where there is one for all that the sample says, else as it is. */
function toFlags(fields: readonly Field[], body: Record<string, unknown>): string[] {
  const flags: string[] = [];
  const left = structuredClone(body);
  for (const { flag, path, kind } of fields) {
    const value = takeAt(left, path);
    if (value === undefined || value === null) continue;
    const isPlain = kind === 'list' ? Array.isArray(value) : kind !== 'json';
    flags.push(`--${flag}`, quote(isPlain ? String(value) : JSON.stringify(value)));
  }
  const isWhole = JSON.stringify(left, (_name, value) => (isEmpty(value) ? undefined : value)) === undefined;
  if (isWhole || Object.keys(body).length === 0) return flags;
  return ['--data', quote(JSON.stringify(body))];
}

/** What stands there, taken out. */
function takeAt(body: Record<string, unknown>, path: readonly string[]): unknown {
  const inner = path
    .slice(0, -1)
    .reduce<unknown>((one, name) => (isObject(one) ? one[name] : undefined), body);
  const last = path.at(-1) ?? '';
  if (!isObject(inner)) return undefined;
  const value = inner[last];
  delete inner[last];
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean => isObject(value) && Object.values(value).every(isEmpty);

const quote = (text: string) => (/^[\w@.:,/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
