/** Why a start ends at once, as its operator is told: one line for what can be mended, all of it for a bug of ours. */
import { type Config, ConfigError } from '../config.ts';
import { NoPrimary, StalePrimary } from '../db/hosts/primary-failure.ts';
import { SchemaError } from '../db/migrate.ts';
import { GIVE_RIGHTS, isRightMissing, readStoreFailure } from '../db/store-failure.ts';
import { CannotGoBack } from './before-migrating.ts';
import { EXIT } from './exit-codes.ts';
import { TracesMissing } from './watching/open-traces.ts';

/** Something that the operator can mend: told in one line. Most is a state that is in the way, some a wrong setting. */
export class StartError extends Error {
  override name = 'StartError';
  readonly exit: number;

  constructor(message: string, { exit = EXIT.refused, ...options }: ErrorOptions & { exit?: number } = {}) {
    super(message, options);
    this.exit = exit;
  }
}

/** What is asked of a standby, or of a server that was set so. */
const READ_ONLY = '25006';

const TOLD = [StartError, ConfigError, SchemaError, CannotGoBack, NoPrimary, StalePrimary, TracesMissing];

/** Listens where two settings say, which the refusal of the system names: one process may listen at three ports. */
export async function listenAt<T>(
  [host, port]: readonly [host: string, port: string],
  listen: () => Promise<T>,
) {
  try {
    return await listen();
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause)) throw cause;
    if (cause.code === 'EADDRINUSE')
      throw new StartError(`the port is in use already, set ${port} to another (${cause.message})`);
    throw new StartError(`${host} and ${port} cannot be listened at: ${cause.message}`, {
      cause,
      exit: EXIT.usage,
    });
  }
}

/** Null for a bug of ours, which is shown whole. `hasOwnStore`: whether DATABASE_URL names it, or it is the embedded one. */
export function toOperatorLine(error: unknown, { hasOwnStore }: { hasOwnStore: boolean }): string | null {
  if (!(error instanceof Error)) return null;
  if (TOLD.some((kind) => error instanceof kind)) return error.message;
  return toStoreLine(error, hasOwnStore ? 'the store at DATABASE_URL' : 'the embedded store');
}

/** Runs what goes over MIGRATE_DATABASE_URL where it is set: of what cannot be used there that name is told. */
export async function overMigrateUrl<T>(
  { migrateDatabaseUrl }: Pick<Config, 'migrateDatabaseUrl'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (migrateDatabaseUrl === null || !(cause instanceof Error)) throw cause;
    if (TOLD.some((kind) => cause instanceof kind)) throw cause;
    const line = toStoreLine(cause, 'the store at MIGRATE_DATABASE_URL');
    if (line === null) throw cause;
    throw new StartError(line, { cause, exit: isRightMissing(cause) ? EXIT.refused : EXIT.unreachable });
  }
}

function toStoreLine(error: Error, store: string): string | null {
  if (isRightMissing(error)) return `${store} refuses its role: ${error.message}: ${GIVE_RIGHTS}`;
  if (readStoreFailure(error) !== 'unavailable') return null;
  if ('code' in error && error.code === READ_ONLY)
    return `${store} takes no writes: it is a standby, or its server is read-only`;
  return `${store} cannot be used: ${error.message}`;
}
