/**
 * How all operators' commands talk, as the merchant's do: stdout is data and stderr talk; `--json` makes one object of an
 * answer, or a line of each row, and tells failures there, too; `--quiet` leaves the talk away.
 */
import { GIVE_RIGHTS, isRightMissing, readStoreFailure } from '../../db/store-failure.ts';
import { explainError, Refusal } from '../../domain/errors.ts';
import { EXIT } from '../exit-codes.ts';

/** What every command takes beside its own. */
export const TALK_FLAGS = {
  json: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
} as const;

const isAsked = (flag: keyof typeof TALK_FLAGS) => process.argv.includes(`--${flag}`);

let isReaderFree = false;

/** Whoever reads may have seen enough, as `head` has: what is being done goes on to its end, and tells it nobody. */
export function freeReader(): void {
  if (isReaderFree) return;
  isReaderFree = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (!('code' in error) || error.code !== 'EPIPE') throw error;
    });
}

/** The same as an object, and as people read it. */
export function answer(told: object, ...lines: readonly string[]): void {
  freeReader();
  if (isAsked('json')) console.log(toJson(told));
  else for (const line of lines) console.log(line);
}

/** What is no data: progress, warnings, what is to be done next. */
export function talk(line: string): void {
  if (!isAsked('quiet')) console.error(line);
}

const WORDS = new Map<number, string>([
  [EXIT.bug, 'bug'],
  [EXIT.usage, 'usage'],
  [EXIT.refused, 'refused'],
  [EXIT.notFound, 'not_found'],
  [EXIT.notAllowed, 'not_allowed'],
  [EXIT.found, 'found'],
  [EXIT.unreachable, 'unreachable'],
  [EXIT.declined, 'declined'],
]);

export const toReason = (error: unknown) => (error instanceof Error ? explainError(error) : String(error));

/** Why a command ends with another code than 0. */
export function tellFailure(error: unknown, exit: number): void {
  const said = toReason(error);
  const message = toMessage(error, said);
  if (!isAsked('json')) {
    console.error(message);
    return;
  }
  const code = error instanceof Refusal ? error.code : (WORDS.get(exit) ?? 'bug');
  const details = error instanceof Refusal ? (error.details ?? []) : [];
  console.log(toJson({ error: { code, message, details } }));
}

/** The words of a driver or a server do not say whose they are. */
function toMessage(error: unknown, said: string): string {
  if (isRightMissing(error)) return `The store refuses the role that asks: ${said}: ${GIVE_RIGHTS}`;
  return readStoreFailure(error) === 'unavailable' ? `The store cannot be used: ${said}` : said;
}

/** Amounts of rows are bigints, each of which a number holds. */
const toJson = (value: object) =>
  JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? Number(one) : one));
