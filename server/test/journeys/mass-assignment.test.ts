import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/api/routes.ts';
import type { Route } from '../../src/http/route.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { routesOfPairs } from '../support/routes-of-pairs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** What a caller might hope to set although it is ours to set. */
const OURS: Readonly<Record<string, unknown>> = {
  id: randomUUID(),
  workspaceId: randomUUID(),
  workspace_id: randomUUID(),
  testMode: false,
  status: 'PAID',
  createdAt: 1,
  fee: 0,
  role: 'owner',
  version: 9,
  passwordHash: 'x',
};

const withBody = routes.filter(({ method, intake }) => method !== 'GET' && !intake);

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: unknown;
}

// A route's body is declared with TypeBox, which writes plain JSON schema.
const bodyOf = (route: Route) => (route.body ?? {}) as Schema;

/** Every object of a body that takes fields nobody declared. */
function findOpen(schema: Schema, path = ''): string[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => findOpen(one, `${path}.${name}`)),
    ...(schema.anyOf ?? []).map((one) => findOpen(one, path)),
    ...(schema.items ? [findOpen(schema.items, `${path}[]`)] : []),
  ].flat();
  const isOpen = schema.properties !== undefined && schema.additionalProperties !== false;
  return isOpen ? [path || 'body', ...inner] : inner;
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

describe('a body', () => {
  it.each(withBody.map((route) => [nameOf(route), route] as const))(
    'T34 of %s has no place for a field that is not declared',
    (_name, route) => {
      expect(findOpen(bodyOf(route))).toEqual([]);
    },
  );

  // What asks for a session is tried with one, by role.
  it.each(
    withBody.filter((route) => routesOfPairs.includes(route)).map((route) => [nameOf(route), route] as const),
  )('T34 of %s is refused with any field that is ours', async (_name, route) => {
    const rows = async () => {
      const { rows: found } = await app.service.pool.query('select count(*) as n from audit_log');
      return found[0].n;
    };
    const before = await rows();
    const pathId = randomUUID();
    const path = route.path.replace(/:\w+/g, pathId);
    const declared = bodyOf(route).properties ?? {};
    const fine = { ...(route.example as object | undefined), ...('id' in declared ? { id: pathId } : {}) };
    // An id may be repeated in a body; that it is another one is a mistake like any other.
    const fields = Object.keys(OURS).filter((name) => !(name in declared) || name === 'id');
    for (const name of fields) {
      const body = { ...fine, [name]: OURS[name] };
      const { status, body: answer } = await app.test.request(route.method, path, { body });
      const paths = (answer.error?.details ?? []).map((issue: { path: string }) => issue.path);
      expect({ name, status, paths }).toEqual({ name, status: 400, paths: expect.arrayContaining([name]) });
    }
    expect(await rows()).toBe(before);
  });
});
