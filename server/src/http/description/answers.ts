/** R4 and R5: what answers bear beside their data; refusals once, with the codes of each operation. */
import { ERRORS } from '../../domain/errors.ts';
import {
  type Answer,
  type Described,
  type Description,
  dataOf,
  type Header,
  listDescribed,
  refTo,
  resolve,
} from './document.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

const HEADERS: Readonly<Record<string, Header>> = {
  'x-request-id': { description: 'Of this request, as logs and support know it.', schema: text },
  'x-counterfoil-version': { description: 'Of the product; where a key pair asks.', schema: text },
  'ratelimit-limit': { description: 'Requests a second; left out where there is no limit.', schema: count },
  'ratelimit-remaining': { description: 'Requests that are left at once.', schema: count },
  'ratelimit-reset': { description: 'Seconds until all of them are there again.', schema: count },
  'retry-after': { description: 'Seconds after which to try again.', schema: count },
  'idempotent-replayed': {
    description: '`true` where the answer is the kept one of an earlier request with this Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  etag: { description: 'The version, for `If-Match`.', schema: text },
};
const LIMITS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
/** Refusals as well as answers: the pair is known, and its request counted, before anything is looked at. */
const OF_ALL = ['x-request-id', 'x-counterfoil-version', ...LIMITS];
/** A store whose clock is being advanced, or a request that still runs (409), says when to try again, too. */
const LATER: ReadonlySet<string> = new Set(['409', '429', '503']);

export function declareAnswers(description: Description): void {
  const { components, paths } = description;
  const { ErrorBody } = components.schemas;
  const error = ErrorBody?.properties?.error;
  if (!error?.properties) return;
  components.schemas.ErrorCode = {
    type: 'string',
    enum: Object.keys(ERRORS),
    description: 'Of docs/errors.md; codes may be added.',
  };
  error.properties.code = { ...refTo('ErrorCode'), description: 'What was wrong: it does not change.' };
  components.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => [toShort(name), header]),
  );
  components.parameters = {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A text of yours, the same at each try: the effect happens once, and the kept answer is answered for 24 h.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  };
  components.responses = { Refusal: toRefusal(OF_ALL) };
  components.responses.RefusalLater = toRefusal([...OF_ALL, 'retry-after']);
  for (const { method, one } of listDescribed(paths)) declare(description, method, one);
}

function toRefusal(headers: readonly string[]): Answer {
  return {
    description: 'Refused.',
    headers: toHeaders(headers),
    content: { 'application/json': { schema: refTo('ErrorBody') } },
  };
}

function declare(description: Description, method: string, one: Described): void {
  const isOfPairs = one['x-sdk'] !== false;
  const isWrite = method !== 'get';
  // A write of a store's is kept by its key; a way in is not.
  const isKept =
    isWrite &&
    Object.values(one.responses).some((answer) => answer.description?.includes('`idempotency_key_reused`'));
  if (isKept) one.parameters = [...(one.parameters ?? []), IDEMPOTENCY_KEY];
  for (const [status, answer] of Object.entries(one.responses)) {
    if (status >= '400') {
      const name = LATER.has(status) ? 'RefusalLater' : 'Refusal';
      const { description: codes = '' } = answer;
      one.responses[status] = { $ref: `#/components/responses/${name}`, description: codes };
      continue;
    }
    if (status !== '200') continue;
    answer.description = toSentence(description, one);
    answer.headers = toHeaders([
      ...(isOfPairs ? OF_ALL : ['x-request-id']),
      ...(isKept ? ['idempotent-replayed'] : []),
      ...(hasVersion(description, one) ? ['etag'] : []),
    ]);
  }
}

/** References have no other fields than these, and no name of their own. */
const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/IdempotencyKey' } as never;

const toHeaders = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${toShort(name)}` }]));

/** Each operation names them anew: `ratelimit-reset` is the component `reset`. */
const toShort = (name: string) => name.split('-').at(-1) ?? name;

function toSentence(description: Description, one: Described): string {
  const names = Object.keys(dataOf(description, one)?.properties ?? {});
  if (names.length === 0) return 'Done.';
  return `\`data\` holds ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

/** The first of what is answered has a version. */
function hasVersion(description: Description, one: Described): boolean {
  const [first] = Object.values(dataOf(description, one)?.properties ?? {});
  return first !== undefined && resolve(description, first).properties?.version !== undefined;
}
