/** The process's log: lines of JSON, of which the same one does not come again and again. */
import pino, { type Level, type LogFn, type Logger } from 'pino';
import { readStoreFailure } from '../db/store-failure.ts';

/** What is told again within this time is counted and told once, at its end. */
const REPEATED_MS = 10_000;
/** Different ones at a time; beyond it everything is told. */
const KNOWN_MAX = 1_000;
const WARN = pino.levels.values.warn ?? 40;

interface Told {
  repeated: number;
}

export interface LogOptions {
  /** Where the lines go; missing = stdout. */
  stream?: pino.DestinationStream;
  /** Of what is being done, where it is traced. */
  readTraceId?: () => string | null;
}

export function createLog(
  level: Level | 'silent' | string,
  { stream, readTraceId }: LogOptions = {},
): Logger {
  const told = new Map<string, Told>();
  return pino(
    {
      level,
      ...(readTraceId ? { mixin: () => toTraced(readTraceId()) } : {}),
      hooks: {
        logMethod(args, method, severity) {
          const key = severity >= WARN ? toKey(args) : null;
          if (key === null) return method.apply(this, args);
          const known = told.get(key);
          if (known) {
            known.repeated += 1;
            return;
          }
          method.apply(this, args);
          if (told.size >= KNOWN_MAX) return;
          told.set(key, { repeated: 0 });
          const end = () => {
            const repeated = told.get(key)?.repeated ?? 0;
            told.delete(key);
            if (repeated > 0) tellRepeated(method.bind(this), args, repeated);
          };
          setTimeout(end, REPEATED_MS).unref();
        },
      },
    },
    ...(stream ? [stream] : []),
  );
}

const toTraced = (traceId: string | null) => (traceId === null ? {} : { traceId });

/** The same happening with the same code; null for what is no error. A store that refuses is one, whoever asked it. */
function toKey(args: unknown[]): string | null {
  const [fields, message] = args;
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return null;
  const { err } = fields;
  if (!(err instanceof Error)) return null;
  const code = 'code' in err ? String(err.code) : `${err.name} ${err.message}`;
  if (readStoreFailure(err) !== null) return `store ${code}`;
  const kind = 'kind' in fields ? String(fields.kind) : '';
  return `${String(message)} ${kind} ${code}`;
}

function tellRepeated(method: LogFn, args: unknown[], repeated: number): void {
  const [fields, message] = args;
  const { err } = fields as { err: Error };
  const code = 'code' in err ? String(err.code) : err.name;
  method({ code, repeated }, `${String(message)}: ${repeated} times more in ${REPEATED_MS / 1000} s`);
}
