/** The process's log: lines of JSON, of which the same one does not come again and again. */
import pino, { type Level, type LogFn, type Logger } from 'pino';
import { readStoreFailure } from '../../db/store-failure.ts';
import { findLogEvent } from '../../domain/log-events.ts';
import { maskText, pickFields } from '../../domain/log-fields.ts';
import { toLineOfText } from './log-text.ts';

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
  /** For whoever reads it at a terminal. */
  asText?: boolean;
}

export function createLog(
  level: Level | 'silent' | string,
  { stream, readTraceId, asText = false }: LogOptions = {},
): Logger {
  const told = new Map<string, Told>();
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: pickFields },
      // As it was picked.
      serializers: { err: (told: unknown) => told },
      ...(readTraceId ? { mixin: () => toTraced(readTraceId()) } : {}),
      hooks: {
        logMethod(given, method, severity) {
          const args = toNamed(given);
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
    ...toStreams(stream, asText),
  );
}

function toStreams(stream: pino.DestinationStream | undefined, asText: boolean): pino.DestinationStream[] {
  if (!asText) return stream ? [stream] : [];
  const to = stream ?? process.stdout;
  return [{ write: (line: string) => void to.write(toLineOfText(line)) }];
}

/** With the word for what happened, and no value in its sentence. */
function toNamed(args: Parameters<LogFn>): Parameters<LogFn> {
  const [first, second] = args as unknown[];
  const hasFields = typeof first === 'object' && first !== null;
  const sentence = String((hasFields ? second : first) ?? '');
  const fields: Record<string, unknown> =
    first instanceof Error ? { err: first } : hasFields ? { ...first } : {};
  const event = fields.event ?? findLogEvent(sentence) ?? 'other';
  return [{ event, ...fields }, maskText(sentence)] as unknown as Parameters<LogFn>;
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
  const { err, event } = fields as { err: Error; event?: unknown };
  const code = 'code' in err ? String(err.code) : err.name;
  method({ event, code, repeated }, `${String(message)}: ${repeated} times more in ${REPEATED_MS / 1000} s`);
}
