/** Every parameter of every path: one that can name nothing is 400 and named, one that names nothing is 404. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/http/route.ts';
import { buy } from '../support/buying.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { routesOfPairs } from '../support/routes-of-pairs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const ID = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
/** Neither an id nor a number, in any path. */
const NOTHING = [
  '!!',
  'undefined',
  '%00',
  '%20',
  '-1',
  'ILOU',
  '%23',
  '%23%23ABCDEFGH1234',
  'ABCDEFGH1234-',
  'ABCDEFGH1234-x',
  `urn:uuid:${ID}`,
  `%7B${ID}%7D`,
  `${ID}0`,
  ID.slice(1),
  'x'.repeat(65),
  '9'.repeat(65),
  '%F0%9F%8E%AE',
];
const NUMBERS = ['ABCDEFGH1234', '%23ABCDEFGH1234', '%2523ABCDEFGH1234', 'ABCDEFGH1234-2', '42'];
const TAKE_NUMBERS = new Set(['orderIdOrNumber', 'paymentId', 'subscriptionId']);

interface Parameter {
  route: Route;
  name: string;
  title: string;
}

const PARAMETERS: Parameter[] = routesOfPairs.flatMap((route) =>
  [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    route,
    name,
    title: `${route.method} ${route.path}: ${name}`,
  })),
);

/** The path with this parameter as given and ids that nobody has in the others. */
function fill({ route, name }: Parameter, value: string): string {
  return route.path.replace(/:(\w+)/g, (_text, other: string) => (other === name ? value : randomUUID()));
}

/** With a body that is right, so that nothing is wrong but the path. */
function ask({ route }: Parameter, path: string): Promise<Answer> {
  if (route.method === 'GET') return app.test.get(path);
  // Bodies are objects, in examples and in schemas.
  const example = (route.example ?? {}) as Record<string, unknown>;
  const { required = [] } = (route.body ?? {}) as { required?: string[] };
  // What no example can hold: the path's own id, and a moment of these days.
  const values: Record<string, unknown> = { id: path.split('/').at(-2), since: Date.now() - 1 };
  const named = required.filter((name) => name in values).map((name) => [name, values[name]]);
  const body = { ...example, ...Object.fromEntries(named) };
  return app.test.request(route.method, path, { body });
}

describe.each(['', '/api'])('under %s/v0', (prefix) => {
  it.each(PARAMETERS)('$title must be able to name something', async (parameter) => {
    const { name } = parameter;
    const isWrong = TAKE_NUMBERS.has(name) ? NOTHING : [...NOTHING, ...NUMBERS];
    for (const value of isWrong) {
      const { status, body } = await ask(parameter, prefix + fill(parameter, value));
      const [first] = body.error.details ?? [];
      const refused = { value, status, code: body.error.code, path: first?.path };
      expect(refused).toEqual({ value, status: 400, code: 'invalid_input', path: name });
      expect(body.error.message).toMatch(new RegExp(`^${name} must `));
    }
  });

  it.each(PARAMETERS)('$title may name nothing, and then it is 404', async (parameter) => {
    const isRight = TAKE_NUMBERS.has(parameter.name) ? [ID, ...NUMBERS] : [ID, ID.toUpperCase()];
    for (const value of isRight) {
      await expectRefusal(ask(parameter, prefix + fill(parameter, value)), 404, 'not_found');
    }
  });
});

describe('under the unversioned spelling of subscriptions', () => {
  it('a path that can name nothing is 400, and one that names nothing is 404', async () => {
    await expectRefusal(app.test.get('/subscriptions/!!'), 400, 'invalid_input');
    await expectRefusal(app.test.get('/subscriptions/!!/upcoming-payment'), 400, 'invalid_input');
    await expectRefusal(app.test.get('/subscriptions/%23ABCDEFGH1234'), 404, 'not_found');
  });
});

describe('a number', () => {
  it('names its order, payment and subscription with its sign, without, and encoded twice', async () => {
    const once = (await buy(app.test, { offersIds: [await makeOffer(app.test)] })).body.data;
    const begun = (await buy(app.test, { offersIds: [await makePlanOffer(app.test)] })).body.data;
    for (const prefix of ['', '/api']) {
      for (const sign of ['', '%23', '%2523']) {
        const get = async (path: string) => (await app.test.get(`${prefix}/v0/${path}`)).body.data;
        const { number } = once.order;
        expect((await get(`orders/${sign}${number}`)).order.id).toBe(once.order.id);
        expect((await get(`orders/${sign}${number.toLowerCase()}`)).order.id).toBe(once.order.id);
        expect((await get(`payments/${sign}${number}`)).payment.id).toBe(once.payment.id);
        const { id } = begun.subscription;
        expect((await get(`subscriptions/${sign}${id}`)).subscription.id).toBe(id);
      }
    }
  });
});
