/** Every method, on the service itself. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOutdated, weigh } from '../../scripts/check-sdk.ts';
import { type Description, listDescribed } from '../../server/src/http/description/document.ts';
import { makeOffer } from '../../server/test/support/make-catalogue.ts';
import { ApiError, type Counterfoil } from '../src/index.ts';
import { type Service, startService } from './service.ts';

const ROOT = new URL('../../', import.meta.url);
const source = readFileSync(new URL('docs/openapi.json', ROOT), 'utf8');
// The file is generated, and its shape is known.
const description = JSON.parse(source) as Description;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const called = listDescribed(description.paths).flatMap(({ path, method, one }) =>
  one['x-sdk'] ? [{ name: one.operationId, path, method, sdk: one['x-sdk'], body: one.requestBody }] : [],
);

describe('X04 the methods', () => {
  it.each(called)('X04 call $name on the service', async ({ path, method, sdk, body }) => {
    const sent: Array<{ method: string; path: string }> = [];
    const shop = service.shop({
      maxRetries: 0,
      fetch: async (input, init) => {
        sent.push({ method: init?.method ?? '', path: new URL(String(input)).pathname });
        return fetch(input, init);
      },
    });
    // The description names the methods, and their types are its own.
    const resources = shop as unknown as Record<
      string,
      Record<string, (...args: unknown[]) => Promise<unknown>>
    >;
    const holder =
      sdk.resource === '' ? (shop as unknown as (typeof resources)[string]) : resources[sdk.resource];
    const ids = [...path.matchAll(/\{\w+\}/g)].map(() => randomUUID());
    const isUpload = body && !('application/json' in body.content);
    const file = { data: new TextEncoder().encode('a'), fileName: 'a b.txt', type: 'text/plain' };
    const outcome = await holder?.[sdk.method]?.(...ids, ...(isUpload ? [file] : [])).then(
      () => 'done',
      (error: unknown) => error,
    );
    let at = 0;
    expect(sent[0]).toEqual({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, () => ids[at++] ?? ''),
    });
    if (outcome === 'done') return;
    // Nothing was made for it: what is refused is the body or the id, and never the address.
    expect(outcome).toBeInstanceOf(ApiError);
    const { code, requestId } = outcome as ApiError;
    expect(['route_not_found', 'method_not_allowed', 'internal', 'unauthorized']).not.toContain(code);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('give the data untouched, and with the response what came along', async () => {
    const shop = service.shop();
    const { workspace } = await shop.whoami();
    expect(workspace.name).toBe('First');
    const offerId = await makeOffer(service.app.test);
    const { data, response, requestId, replayed } = await shop.offers.get(offerId).withResponse();
    expect({ id: data.offer.id, status: response.status, replayed }).toEqual({
      ...{ id: offerId, status: 200, replayed: false },
    });
    expect(requestId).toBe(response.headers.get('x-request-id'));
    const idempotencyKey = randomUUID();
    const make = () =>
      shop.products.create({ type: 'Game', name: 'Chess' }, { idempotencyKey }).withResponse();
    const first = await make();
    const again = await make();
    expect(again.replayed).toBe(true);
    expect(again.data).toEqual(first.data);
  });

  it('upload a file by a stream', async () => {
    const data = new Blob(['hello']).stream();
    const { file } = await service.shop().files.upload({ data, fileName: 'é.txt', type: 'text/plain' });
    expect(file).toMatchObject({ fileName: 'é.txt', size: 5 });
  });
});

describe('X02 the generated files', () => {
  const read = (name: string) => readFileSync(new URL(`sdk/src/generated/${name}`, ROOT), 'utf8');
  const changed = (change: (copy: Description) => void) => {
    const copy = JSON.parse(source) as Description;
    change(copy);
    return findOutdated(copy, read).join('\n');
  };

  it('X02 are refused once a field was added, or a name changed or taken away', () => {
    expect(changed(() => {})).toBe('');
    const added = changed((all) => {
      Object.assign(all.components.schemas.Order?.properties ?? {}, { colour: { type: 'string' } });
    });
    expect(added).toContain('types.ts');
    const list = (all: Description) => all.paths['/v0/orders/list']?.get;
    const renamed = changed((all) => {
      Object.assign(list(all) ?? {}, { 'x-sdk': { resource: 'orders', method: 'all', columns: [] } });
    });
    expect(renamed).toContain('resources.ts');
    expect(changed((all) => delete list(all)?.['x-sdk'])).toContain('resources.ts');
  });
});

describe('the size', () => {
  it('is 8 KB at most, and of the webhooks 2 KB, minified and gzipped', async () => {
    expect(await weigh('index')).toBeLessThanOrEqual(8 * 1024);
    expect(await weigh('webhooks')).toBeLessThanOrEqual(2 * 1024);
  });
});

/** What must not compile: the types are tried by the check of types. */
export async function tryTypes(shop: Counterfoil): Promise<void> {
  // @ts-expect-error X05: a list without end is not read into memory by accident.
  await shop.orders.list().toArray();
  // @ts-expect-error Words that are sent are those of the description.
  shop.orders.list({ statuses: ['PAYED'] });
  // @ts-expect-error A second spelling is none of the client's.
  shop.orders.list({ status: ['PAID'] });
}
