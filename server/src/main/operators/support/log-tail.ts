/** The end of a log, of which only those fields come along that are known to tell of nobody. */
import { open } from 'node:fs/promises';

/** As much of the file is read, and as many of its last lines are told. */
const BYTES_MAX = 4 * 2 ** 20;
const LINES_MAX = 2_000;

/** Numbers and words of ours. */
const FIELDS = [
  'level',
  'time',
  'event',
  'route',
  'status',
  'ms',
  'kind',
  'attempt',
  'code',
  'repeated',
  'requestId',
];
/** Where in the code it happened: the line before holds what was said, and with it values. */
const FRAME = /^\s+at /;

export interface LogTail {
  lines: Array<Record<string, unknown>>;
  /** Those that are no line of ours. */
  leftOut: number;
}

export async function readLogTail(file: string): Promise<LogTail> {
  const texts = (await readEnd(file)).split('\n').filter((line) => line.trim() !== '');
  const told = texts.slice(-LINES_MAX).map(tellLine);
  const lines = told.filter((line) => line !== null);
  return { lines, leftOut: told.length - lines.length };
}

async function readEnd(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - BYTES_MAX);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    // The first line may have begun before.
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

/** Null for what is no line of ours. */
function tellLine(text: string): Record<string, unknown> | null {
  const line = readObject(text);
  if (line === null || !('level' in line) || !('time' in line)) return null;
  const known = FIELDS.filter((name) => ['string', 'number'].includes(typeof line[name]));
  const err = tellError(line.err);
  // Without words of ours the line repeats those of the error.
  const isOwn = typeof line.msg === 'string' && !(err !== null && repeats(line));
  return {
    ...Object.fromEntries(known.map((name) => [name, line[name]])),
    ...(isOwn ? { msg: line.msg } : {}),
    ...(err === null ? {} : { err }),
  };
}

const repeats = ({ msg, err }: Record<string, unknown>) =>
  typeof err === 'object' && err !== null && 'message' in err && err.message === msg;

function tellError(err: unknown): Record<string, unknown> | null {
  if (typeof err !== 'object' || err === null) return null;
  const { type, code, stack } = err as Record<string, unknown>;
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => FRAME.test(line)) : [];
  return {
    type: typeof type === 'string' ? type : null,
    code: typeof code === 'string' ? code : null,
    frames,
  };
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
