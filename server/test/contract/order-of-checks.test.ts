/**
 * The order in which every operation refuses, asked of each by its own description: the limit 429, the key 401, its scope
 * 403, the form of path, query and body 400, the clock that is being moved 409, what does not exist 404. What belongs to a
 * state comes last, and has its tests beside each operation.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/api/routes.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { areaOf } from '../../src/domain/roles.ts';
import { generateKeyPair, hashSecret, type KeyPairPlain } from '../../src/resources/api-keys/key-pairs.ts';
import { holdClock, releaseClock } from '../../src/resources/test-clock/test-clock.queries.ts';
import { type Answer, createTestApp, type Keys, type TestApp } from '../support/harness.ts';
import { listOperations, type Operation } from './operations.ts';

let app: TestApp;
let busy: TestApp;
let operations: Operation[];
let narrow: KeyPairPlain;
beforeAll(async () => {
  app = await createTestApp();
  // A second has one request, and here it does not pass.
  busy = await createTestApp({ RATE_LIMIT_TEST: '1', RATE_LIMIT_LIVE: '1' }, undefined, {
    monotonicMs: () => 1,
  });
  operations = listOperations(app);
  narrow = await makeNarrow();
});
afterAll(() => Promise.all([app.close(), busy.close()]));

/** A pair that may do nothing. */
async function makeNarrow(): Promise<KeyPairPlain> {
  const pair = generateKeyPair(true);
  await app.service.db
    .insertInto('apiKeys')
    .values({
      workspaceId: app.test.scope.workspaceId,
      testMode: true,
      id: app.service.ids.next(Date.now()),
      name: 'Nothing',
      publicKey: pair.publicKey,
      secretHash: hashSecret(pair.secretKey),
      scopes: '[]',
      readRequiresSecret: false,
      createdAt: 1,
    })
    .execute();
  return pair;
}

const titleOf = ({ method, path }: Operation) => `${method} ${path}`;
const routeOf = ({ id }: Operation) => routes.find(({ operationId }) => operationId === id);
const fill = (path: string, value: string) => path.replace(/\{\w+\}/g, value);

interface Asked {
  path: string;
  query: Record<string, string>;
  body: unknown;
}

/** What is wrong in form, in each way that the operation knows. */
function listWrong(operation: Operation): Asked[] {
  const { path, params, query, method } = operation;
  const right = { path: fill(path, randomUUID()), query: {}, body: method === 'GET' ? undefined : {} };
  const number = query.find(({ schema }) => schema.type === 'integer' || schema.type === 'number');
  return [
    ...(params.length > 0 ? [{ ...right, path: fill(path, '!!') }] : []),
    ...(number ? [{ ...right, query: { [number.name]: 'many' } }] : []),
    ...(method === 'GET' || operation.takesFile ? [] : [{ ...right, body: { nobodyKnowsThis: 1 } }]),
  ];
}

function send(to: TestApp, operation: Operation, keys: Keys, { path, query, body }: Asked): Promise<Answer> {
  const sent = body === undefined ? {} : { body };
  return to.test.request(operation.method, path, { keys, query, ...sent });
}

/** Every operation with every wrong form of it, and how each is refused. */
async function collect(to: TestApp, keys: Keys, chosen = operations): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const operation of chosen) {
    const answers: string[] = [];
    for (const wrong of listWrong(operation)) {
      const { status, body } = await send(to, operation, keys, wrong);
      answers.push(`${status} ${body.error?.code}`);
    }
    if (answers.length > 0) found.set(titleOf(operation), answers);
  }
  return found;
}

function expectAll(found: Map<string, string[]>, expected: RegExp): void {
  const others = [...found].filter(([, answers]) => answers.some((answer) => !expected.test(answer)));
  expect(others).toEqual([]);
}

describe('a request that is wrong in form', () => {
  it('is of operations enough to speak of all', () => {
    expect(operations.length).toBeGreaterThan(80);
    expect(operations.filter((operation) => listWrong(operation).length > 0).length).toBeGreaterThan(70);
  });

  it('is 401 without a key, and without the secret one where that is needed', async () => {
    expectAll(await collect(app, 'none'), /^401 unauthorized$/);
    const writes = operations.filter(({ needsSecret }) => needsSecret);
    expectAll(await collect(app, 'public', writes), /^401 secret_key_required$/);
  });

  it('is 403 by a pair that may not do it', async () => {
    const asking = operations.filter((operation) => areaOf(operation) !== null);
    expect(asking.length).toBeGreaterThan(80);
    expectAll(await collect(app, narrow, asking), /^403 insufficient_scope$/);
  });

  it('is 400 by a pair that may, before anything is looked for', async () => {
    expectAll(await collect(app, 'secret'), /^400 /);
  });

  it('is 429 once the limit of the pair is reached, whatever is wrong', async () => {
    await busy.test.get('/v0/products/list');
    const chosen = operations.filter((_one, index) => index % 5 === 0);
    expectAll(await collect(busy, 'secret', chosen), /^429 rate_limited$/);
  });
});

describe('while the clock of the test store is moved', () => {
  it('a wrong form is 400 still, a right one of a write 409, before anything is looked for; reads go on', async () => {
    const held = await holdClock(app.service.db, app.test.scope, Date.now() + 1000);
    if (!held) throw new Error('the clock is held');
    try {
      expectAll(await collect(app, 'secret'), /^400 /);
      const found = new Map<string, string[]>();
      let stopped = 0;
      for (const operation of operations) {
        const { path, params, example, method, takesFile } = operation;
        const route = routeOf(operation);
        if (!route || takesFile || params.length === 0) continue;
        const body = method === 'GET' ? undefined : (example ?? {});
        const asked = { path: fill(path, randomUUID()), query: {}, body };
        const { status, body: answered } = await send(app, operation, 'secret', asked);
        const isMoved = route.kind !== 'read' && route.needsClock;
        const expected = isMoved ? ['409 clock_advancing', '400 invalid_input'] : ['404 not_found'];
        const got = `${status} ${answered.error?.code}`;
        if (got === '409 clock_advancing') stopped += 1;
        // A body that needs the path's own id has no example.
        if (!expected.includes(got)) found.set(titleOf(operation), [got]);
      }
      expect([...found]).toEqual([]);
      expect(stopped).toBeGreaterThan(30);
    } finally {
      await inTransaction(app.service.db, (tx) => releaseClock(tx, held));
    }
  });
});
