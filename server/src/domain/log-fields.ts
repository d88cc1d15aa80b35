/** What a line of the log may hold: a list of what is known to tell of nobody. All else is left out, whoever tells it. */
import { maskAddress } from './mask-address.ts';
import { maskPersonal } from './mask-personal.ts';

/** Of the documentation, then what ours tell beside: ids, counts, words of closed lists, and settings. */
const FIELDS: ReadonlySet<string> = new Set([
  ...['event', 'requestId', 'traceId', 'route', 'status', 'ms', 'workspaceId', 'mode', 'keyId', 'kind'],
  ...['refId', 'attempt', 'err', 'code', 'repeated'],
  ...[
    'accountId',
    'address',
    'count',
    'detail',
    'error',
    'exportId',
    'filesUrl',
    'highest',
    'host',
    'hosts',
    'importId',
  ],
  ...['internal', 'key', 'lost', 'maxConnections', 'offMs', 'pools', 'processes', 'processorId', 'reason'],
  ...['spare', 'timeline', 'tool'],
]);
/** What others have said, or what repeats it. */
const SENTENCES: ReadonlySet<string> = new Set(['detail', 'error', 'internal', 'reason']);
const QUERY = /(\bhttps?:\/\/[^\s?"']+)\?[^\s"']*/g;
/** What a statement was given stands in quotes in what PostgreSQL says of it. */
const DATA_EXCEPTION = /^22/;
const FRAME = /^\s+at /;

export function pickFields(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!FIELDS.has(name)) continue;
    if (name === 'address') picked[name] = typeof value === 'string' ? maskAddress(value) : undefined;
    else if (name === 'err') picked[name] = tellError(value);
    else picked[name] = typeof value === 'string' && SENTENCES.has(name) ? maskText(value) : value;
  }
  return picked;
}

/** No e-mail, key, token, address or query. Stacks keep their places: a line of one names a file of ours. */
export function maskText(text: string): string {
  return text
    .replace(QUERY, '$1?***')
    .split('\n')
    .map((line) => (FRAME.test(line) ? line : maskPersonal(line)))
    .join('\n');
}

/** Its code, its sentence and where it happened; nothing else that hangs on it. */
export function tellError(error: unknown): Record<string, unknown> | undefined {
  if (error === undefined || error === null) return undefined;
  if (!(error instanceof Error)) return { type: typeof error, message: maskText(String(error)) };
  const code = 'code' in error ? String(error.code) : undefined;
  const isOfData = code !== undefined && code.length === 5 && DATA_EXCEPTION.test(code);
  const tell = (text: string) => maskText(isOfData ? text.replace(/"[^"]*"/g, '"…"') : text);
  const { name: type, message, stack, cause } = error;
  return {
    type,
    ...(code === undefined ? {} : { code }),
    message: tell(message),
    ...(stack === undefined ? {} : { stack: tell(stack) }),
    ...(cause === undefined ? {} : { cause: tellError(cause) }),
  };
}
