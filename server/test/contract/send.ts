/** Sends one case to the application and tells what is wrong with the answer. */
import { randomUUID } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer, Keys, TestApp } from '../support/harness.ts';
import { withoutIds } from '../support/without-ids.ts';
import type { Case } from './cases.ts';
import type { Operation } from './operations.ts';
import { harvest, type Pool } from './pool.ts';

export interface Pools {
  own: Pool;
  other: Pool;
  live: Pool;
}

export interface Sent {
  status: number;
  /** What is wrong with the answer, with the request that brought it. */
  problem: string | null;
}

export type Sender = (operation: Operation, one: Case) => Promise<Sent>;

export function createSender(app: TestApp, pools: Pools): Sender {
  const ajv = new Ajv2020({ strict: false, allErrors: false, strictNumbers: true });
  // The package is CommonJS, and its types say otherwise.
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  const validators = new Map<string, ValidateFunction>();

  function fitsBody(operation: Operation, one: Case, text: string | null): boolean {
    if (operation.takesFile || operation.method === 'GET' || one.body === null) return true;
    if (text === null || !('json' in one.body)) return true;
    if (holdsForbidden(JSON.parse(text))) return false;
    const value: unknown = JSON.parse(text) ?? {};
    if (!operation.body) return JSON.stringify(value) === '{}';
    const validate = validators.get(operation.id) ?? ajv.compile(operation.body);
    validators.set(operation.id, validate);
    return validate(value);
  }

  return async (operation, one) => {
    const asked = resolve(pools, one, one.idsOf);
    let answer: Answer;
    try {
      answer = await send(app, one, asked);
    } catch (error) {
      // The harness has compared the answer with the description.
      return { status: 0, problem: describe(one, asked, String(error)) };
    }
    const fits = fitsBody(operation, one, typeof asked.body === 'string' ? asked.body : null);
    const reason =
      judge(one, answer, fits) ??
      (one.expected === 'as unknown' ? await compare(app, { pools, one, answer }) : null);
    if (answer.status === 200 && one.keys === 'own') harvest(pools.own, answer.body?.data);
    return { status: answer.status, problem: reason && describe(one, asked, `${reason}: ${answer.text}`) };
  };
}

const OWNER = ' owner';

interface Asked {
  path: string;
  query: string;
  body: string | Buffer | null;
}

/** Fills the marks: ids of the path from the pools named, all others from the store that is asked. */
function resolve(pools: Pools, one: Case, idsOf: Case['idsOf'] | 'nobody'): Asked {
  let last = '';
  const fillPath = (text: string) =>
    text.replace(/\{\{([\w ]+):(\d+)\}\}/g, (_all, kind: string, n: string) => {
      last = idsOf === 'nobody' ? randomUUID() : pickId(pools[idsOf], kind, Number(n));
      return encodeURIComponent(last);
    });
  const fill = (text: string) =>
    text.replace(/\{\{([\w ]+):(\d+)\}\}/g, (_all, kind: string, n: string) =>
      kind === 'self' ? last || randomUUID() : pickId(pools.own, kind, Number(n)),
    );
  const path = fillPath(one.path);
  const query = new URLSearchParams(
    one.query.map(([name, value]): [string, string] => [name, fill(value)]),
  ).toString();
  const body =
    one.body === null ? null : 'raw' in one.body ? one.body.raw : fill(JSON.stringify(one.body.json));
  return { path, query, body };
}

/** Orders and payments go by their numbers, too. */
function pickId(pool: Pool, kind: string, n: number): string {
  if (kind.endsWith(OWNER)) return pool.pickOwner(kind.slice(0, -OWNER.length), n);
  const numbers = `${kind}Number`;
  if (n % 3 !== 1 || pool.size(numbers) === 0) return pool.pick(kind, n);
  return kind === 'order' && n % 2 === 1 ? `#${pool.pick(numbers, n)}` : pool.pick(numbers, n);
}

async function send(app: TestApp, one: Case, { path, query, body }: Asked): Promise<Answer> {
  const { test, live, other } = app;
  const pairs: Record<Case['keys'], Keys> = {
    own: 'secret',
    public: 'public',
    none: 'none',
    mixed: { publicKey: test.keys.publicKey, secretKey: other.keys.secretKey },
    'other mode': { publicKey: test.keys.publicKey, secretKey: live.keys.secretKey },
    unknown: { publicKey: `pub_test_${'x'.repeat(32)}`, secretKey: `sec_test_${'x'.repeat(32)}` },
    'in the query': 'none',
  };
  const named = `x-svc-public-key=${test.keys.publicKey}&x-svc-secret-key=${test.keys.secretKey}`;
  const parts = [query, one.keys === 'in the query' ? named : ''].filter(Boolean).join('&');
  return test.request(one.method, parts ? `${path}?${parts}` : path, {
    keys: pairs[one.keys],
    headers: { ...(one.contentType ? { 'content-type': one.contentType } : {}), ...one.headers },
    ...(body === null ? {} : { body }),
  });
}

/** Why the answer is not what the request asked for; null when it is. */
function judge({ expected, method }: Case, { status, body, headers }: Answer, fits: boolean): string | null {
  if (status >= 500) return 'answered a fault of ours';
  if (headers['x-request-id'] === undefined) return 'answered without a request id';
  if (status !== 200 && (body?.status !== 'error' || typeof body.error?.code !== 'string'))
    return 'answered an error without its envelope';
  if (expected === 400 && status !== 400) return `answered ${status} to a path that is none`;
  if (expected === 401 && status !== 401) return 'let in who may not';
  if (expected === 405 && (status !== 405 || !headers.allow)) return `answered ${status} to a wrong method`;
  if (expected === 415 && status !== 415) return 'read a body of another type';
  if (expected === 'refused' && (status < 400 || status > 404)) return 'took what it must refuse';
  if (expected === 'fits' && !fits && status !== 400)
    return 'took a body that the description does not allow';
  if (expected === 'as unknown' && status === 200 && method !== 'GET')
    return 'wrote to an object of somebody else';
  return null;
}

/** An id of somebody else is answered to the letter as one that nobody has. */
async function compare(
  app: TestApp,
  { pools, one, answer }: { pools: Pools; one: Case; answer: Answer },
): Promise<string | null> {
  const unknown = await send(app, one, resolve(pools, one, 'nobody'));
  const tell = ({ status, body }: Answer) =>
    JSON.stringify({
      status,
      code: body?.error?.code,
      message: withoutIds(body?.error?.message),
      details: body?.error?.details,
    });
  return tell(unknown) === tell(answer)
    ? null
    : `tells it from an unknown id, which is answered ${unknown.text}`;
}

/** U+0000 and halves of a character pass JSON, and no schema speaks of them. */
function holdsForbidden(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => holdsForbidden(key) || holdsForbidden(inner));
}

function describe(one: Case, { path, query, body }: Asked, problem: string): string {
  const shown = body === null ? '' : body.toString().slice(0, 600);
  const request = `${one.method} ${path}${query ? `?${query}` : ''} (keys: ${one.keys}) ${shown}`;
  return `${request}\n    ${JSON.stringify(one.headers)} ${one.expected}\n    ${problem.slice(0, 1500)}`;
}
