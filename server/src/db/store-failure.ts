/** What a failed query says of the store, for whoever must tell a client or choose whether to go on. */
import { NoPlaceFree } from './connection-shares.ts';
import { NoRoomLeft } from './database.ts';
import { NoPrimary, StalePrimary } from './hosts/primary-failure.ts';

/**
 * `busy`: a row was held for too long by another transaction, so that this one did nothing. `unavailable`: the store
 * could not be reached, or gave up in some other way; what it was doing may have held. Null: another error.
 */
export type StoreFailure = 'busy' | 'unavailable' | null;

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * What the store did not do in time, and rolled back: a statement that ran until its limit (57014), a transaction
 * that stood still since its process or machine did (25P03), and one that lost more races than are run again
 * (40001, 40P01).
 */
const GIVEN_UP = new Set(['57014', '25P03', '40001', '40P01']);
/** It lets nobody in, or is not there: a password that was changed, a database that was moved, names that lead nowhere. */
const NO_WAY_IN = new Set(['3D000', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN']);
const NAME_UNKNOWN = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);
/**
 * By which the server ends a session, or does not let one begin, whatever its code says else: a database that is closed to
 * connections for a while (55000), a right to connect that was taken away (42501).
 */
const ENDS_SESSION = new Set(['FATAL', 'PANIC']);
/** A standby has been asked to write, as where a name leads elsewhere for a moment. */
const READ_ONLY = '25006';

const CONNECTION_LOST =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|the store has said nothing|does not support SSL connections/;

/** Whether a statement ran until its limit. */
export function isOutOfTime(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014';
}

/** What a role was not given over a connection that it has: it owns neither the tables nor the schema that they lie in. */
export const isRightMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '42501' &&
  readStoreFailure(error) !== 'unavailable';

/** What whoever has a role without its rights does. Newer servers give nobody the right to make tables in `public`. */
export const GIVE_RIGHTS =
  'as a superuser make that role the owner of the database, of its schema public and of what lies in it';

/** Class 08 = connection, 28 = who comes in, 57P0x = the server stops or starts, 53xxx = out of room; the rest is the driver's. */
export function readStoreFailure(error: unknown): StoreFailure {
  if (!(error instanceof Error)) return null;
  if (error instanceof NoPlaceFree) return error.isOwnShare ? 'busy' : 'unavailable';
  if (error instanceof NoRoomLeft || error instanceof NoPrimary || error instanceof StalePrimary)
    return 'unavailable';
  if ('severity' in error && ENDS_SESSION.has(String(error.severity))) return 'unavailable';
  const code = 'code' in error ? String(error.code) : '';
  if (code === LOCK_NOT_AVAILABLE) return 'busy';
  if (
    /^(08|28|53)/.test(code) ||
    /^57P0[123]$/.test(code) ||
    GIVEN_UP.has(code) ||
    code === READ_ONLY ||
    NO_WAY_IN.has(code)
  )
    return 'unavailable';
  if (NAME_UNKNOWN.has(code)) return 'unavailable';
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code) && 'syscall' in error) {
    return ['connect', 'read', 'write'].includes(String(error.syscall)) ? 'unavailable' : null;
  }
  return CONNECTION_LOST.test(error.message) ? 'unavailable' : null;
}
