/** Each rule of the API's description, broken on purpose. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSdkNames } from '../../../scripts/check-sdk-names.ts';
import { checkShapes } from '../../../scripts/check-shapes.ts';
import type { Described, Description, Schema } from '../../../scripts/described.ts';
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

/** What is found wrong once something is. */
const problemsOf = (change: (description: Description) => void) => checkShapes(broken(change)).join('\n');

function component({ components }: Description, name: string): Schema {
  const found = components.schemas[name];
  if (!found) throw new Error(`There is no component ${name}.`);
  return found;
}

describe('X02 X03 the rules of the description', () => {
  it('hold of it', () => {
    expect(checkShapes(broken(() => {}))).toEqual([]);
  });

  it('R1 every body and every repeated shape has a name', () => {
    const inline = problemsOf((all) => {
      const { requestBody } = operation(all, '/v0/products/create', 'post');
      const json = requestBody?.content['application/json'];
      if (json) json.schema = component(all, 'CreateProductBody');
    });
    expect(inline).toContain('R1: the body of createProduct is not CreateProductBody');
    const repeated = problemsOf((all) => {
      const { properties } = component(all, 'Order');
      if (properties) properties.status = component(all, 'PaymentStatus');
    });
    expect(repeated).toContain('R1: Order.status, PaymentStatus hold the same');
  });

  it('R2 an operation stays small', () => {
    const large = problemsOf((all) => {
      component(all, 'Order').description = 'x'.repeat(400_000);
    });
    expect(large).toMatch(/^R2: an operation takes \d+ bytes/m);
  });

  it('R3 events have their fields, in a union and as webhooks', () => {
    expect(problemsOf((all) => delete all.webhooks?.payment_failed)).toContain('R3: payment_failed');
    const open = problemsOf((all) => {
      component(all, 'PaymentEventData').properties = {};
    });
    expect(open).toContain('R3: payment_success');
    const mixed = problemsOf((all) => {
      component(all, 'WebhookEvent').anyOf?.push({ $ref: '#/components/schemas/ExpiredEvent' });
    });
    expect(mixed).toContain('R3: ExpiredEvent');
  });

  it('R4 the code of a refusal is a word of the catalogue', () => {
    const free = problemsOf((all) => {
      const { error } = component(all, 'ErrorBody').properties ?? {};
      if (error?.properties) error.properties.code = { type: 'string' };
    });
    expect(free).toContain('R4:');
  });

  it('R5 the Idempotency-Key and the headers of answers are declared', () => {
    const keyless = problemsOf((all) => delete operation(all, '/v0/products/create', 'post').parameters);
    expect(keyless).toContain('R5: createProduct does not declare its Idempotency-Key');
    const bare = problemsOf((all) => delete operation(all, '/v0/whoami', 'get').responses['200']?.headers);
    expect(bare).toContain('R5: whoami');
  });

  it('R7 a second spelling says whose it is', () => {
    const equal = problemsOf((all) => {
      delete component(all, 'CreateUserBody').properties?.name?.['x-alias-of'];
    });
    expect(equal).toContain('R7: createUser name');
    const lost = problemsOf((all) => {
      const { name } = component(all, 'CreateUserBody').properties ?? {};
      if (name) name['x-alias-of'] = 'nickname';
    });
    expect(lost).toContain('R7: createUser name is an alias of nothing');
  });

  it('R8 a body that may be empty is not asked for', () => {
    const asked = problemsOf((all) => {
      const { requestBody } = operation(all, '/v0/orders/{orderIdOrNumber}/cancel', 'patch');
      if (requestBody) requestBody.required = true;
    });
    expect(asked).toContain('R8: whether cancelOrder needs a body');
  });

  it('R9 no component hides what the language has', () => {
    expect(problemsOf((all) => Object.assign(all.components.schemas, { File: {} }))).toContain('R9:');
  });

  it('X03 R6 each field and parameter has a sentence', () => {
    const bare = problemsOf((all) => {
      delete component(all, 'Order').properties?.createdAt?.description;
      for (const one of operation(all, '/v0/orders/list', 'get').parameters ?? [])
        if (one.name === 'term') {
          delete one.description;
          delete one.schema.description;
        }
    });
    expect(bare).toContain('R6: Order.createdAt has no sentence');
    expect(bare).toContain('R6: listOrders?term has no sentence');
  });

  it('R11 a page says how large it is', () => {
    const unbounded = problemsOf((all) => {
      const { parameters = [] } = operation(all, '/v0/orders/list', 'get');
      for (const { name, schema } of parameters) if (name === 'take') delete schema.default;
    });
    expect(unbounded).toContain('R11: take of listOrders');
  });
});
