/** Why a request got no status, in words that a merchant can act on. */
import { NOT_PUBLIC } from './address-guard.ts';

export type FailureKind = 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked';

export interface Failure {
  error: FailureKind;
  /** One line for people. */
  message: string;
  /** The address that was tried, where the error names it. */
  address: string | null;
}

/** Raised inside the connection's look-up: the host leads to an address that may not be reached. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress';

  constructor() {
    super(NOT_PUBLIC);
  }
}

const MESSAGE_MAX = 300;
const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
/** OpenSSL's and Node's words for a certificate or handshake that does not hold. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

/** Sorts an error of the connection or of undici. */
export function toFailure(error: unknown): Failure {
  const cause = toCause(error);
  const message = cause.message.slice(0, MESSAGE_MAX) || cause.code;
  return { error: toKind(cause), message, address: cause.address };
}

interface Cause {
  name: string;
  code: string;
  message: string;
  syscall: string;
  address: string | null;
}

/** A host of several addresses fails with one error for each: the first stands for all. */
function toCause(error: unknown): Cause {
  if (error instanceof AggregateError && error.errors.length > 0) return toCause(error.errors[0]);
  // Node's errors carry their details as properties that the type of Error does not know.
  const known = (error instanceof Error ? error : new Error(String(error))) as Error &
    Record<string, unknown>;
  return {
    name: known.name,
    code: String(known.code ?? ''),
    message: known.message,
    syscall: String(known.syscall ?? ''),
    address: typeof known.address === 'string' ? known.address : null,
  };
}

function toKind({ name, code, syscall }: Cause): FailureKind {
  if (name === 'BlockedAddress') return 'blocked';
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (
    syscall === 'getaddrinfo' ||
    syscall.startsWith('query') ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN'
  )
    return 'dns';
  if (TLS_CODE.test(code)) return 'tls';
  return 'connection';
}
