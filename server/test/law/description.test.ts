/** Each rule of the API's description, broken on purpose. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSdkNames } from '../../../scripts/check-sdk-names.ts';
import type { Described, Description } from '../../../scripts/described.ts';
import { ROOT } from '../../../scripts/source-files.ts';

const source = readFileSync(`${ROOT}/docs/openapi.json`, 'utf8');

/** The description with one thing changed. */
function broken(change: (description: Description) => void): Description {
  // The file is generated, and its shape is known.
  const description = JSON.parse(source) as Description;
  change(description);
  return description;
}

function operation({ paths }: Description, path: string, method: string): Described {
  const found = paths[path]?.[method];
  if (!found) throw new Error(`There is no ${method} ${path}.`);
  return found;
}

describe('X02 R10 how clients call operations', () => {
  it('holds of the description', () => {
    expect(checkSdkNames(broken(() => {}))).toEqual([]);
  });

  it('is said of each operation of a key pair, once', () => {
    const nameless = broken((all) => delete operation(all, '/v0/orders/list', 'get')['x-sdk']);
    expect(checkSdkNames(nameless)).toEqual([expect.stringContaining('listOrders has no x-sdk')]);
    const twice = broken((all) => {
      const one = operation(all, '/v0/orders/list', 'get');
      operation(all, '/v0/whoami', 'get')['x-sdk'] = one['x-sdk'];
    });
    expect(checkSdkNames(twice)).toContain('whoami and listOrders are both orders.list');
  });

  it('is false of all others', () => {
    const open = broken((all) => delete operation(all, '/v0/session', 'get')['x-sdk']);
    expect(checkSdkNames(open)).toHaveLength(1);
  });

  it('names columns that rows have', () => {
    const wrong = broken((all) => {
      const sdk = operation(all, '/v0/orders/list', 'get')['x-sdk'];
      if (sdk) sdk.columns = ['id', 'colour'];
    });
    expect(checkSdkNames(wrong)).toEqual(['listOrders: its rows have no column colour']);
  });
});
