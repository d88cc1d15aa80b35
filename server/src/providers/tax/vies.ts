/**
 * VIES, the European Commission's register of VAT numbers, over its REST interface. It hands each question on to a
 * member state, whose own register may be down for hours: every error there is no answer, and never "invalid".
 */
import type { TaxNumberAnswer } from '../../domain/tax/tax-number.ts';
import type { TaxNumberRegister } from './tax-number-register.ts';

interface Outgoing {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

export interface ViesOptions {
  /** Without a slash at its end. */
  url: string;
  /** The guarded way out. */
  send(
    outgoing: Outgoing,
  ): Promise<{ kind: 'answered'; statusCode: number; body: string } | { kind: 'failed'; error: string }>;
  /** Real time: what VIES says holds at a moment of the world's, not of a test store's. */
  nowMs(): number;
}

const NAME = 'vies';
/** A buyer waits for it at the checkout. */
const TIMEOUT_MS = 5_000;
const DETAIL_MAX = 100;

export function createVies({ url, send, nowMs }: ViesOptions): TaxNumberRegister {
  return {
    name: NAME,
    async ask(number) {
      const askedAt = nowMs();
      const body = JSON.stringify({ countryCode: number.slice(0, 2), vatNumber: number.slice(2) });
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const result = await send({
        method: 'POST',
        url: `${url}/check-vat-number`,
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
      });
      const said =
        result.kind === 'failed'
          ? noAnswer(result.error)
          : result.statusCode === 200
            ? readAnswer(result.body)
            : noAnswer(readError(result.body) ?? `status ${result.statusCode}`);
      return { register: NAME, number, askedAt, ...said };
    },
  };
}

type Said = Pick<TaxNumberAnswer, 'outcome' | 'detail' | 'reference'>;

function noAnswer(detail: string): Said {
  return { outcome: 'no_answer', detail: detail.slice(0, DETAIL_MAX), reference: null };
}

function readAnswer(body: string): Said {
  const error = readError(body);
  if (error !== null) return noAnswer(error);
  const answer = toRecord(body);
  if (typeof answer.valid !== 'boolean') return noAnswer('an answer of another form');
  const { requestIdentifier } = answer;
  const reference =
    typeof requestIdentifier === 'string' && requestIdentifier !== '' ? requestIdentifier : null;
  // Name and address come along and are left: the question was whether the number holds.
  return { outcome: answer.valid ? 'valid' : 'invalid', detail: null, reference };
}

/** The code of an error such as MS_UNAVAILABLE; it comes with status 200 as well. */
function readError(body: string): string | null {
  const { errorWrappers, userError } = toRecord(body);
  const [wrapper] = Array.isArray(errorWrappers) ? (errorWrappers as unknown[]) : [];
  const code = isRecord(wrapper) ? wrapper.error : userError;
  return typeof code === 'string' && code !== 'VALID' && code !== 'INVALID' ? code : null;
}

function toRecord(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
