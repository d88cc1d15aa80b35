import { describe, expect, it } from 'vitest';
import { createValidators } from './validate.ts';

const options = { customOptions: {}, plugins: [] };
const Named = { $id: 'Named', type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

function toRoute(schema: Record<string, unknown>) {
  return { schema, method: 'POST', url: '/', httpPart: 'body' };
}

describe('the checks of requests', () => {
  it('compile nothing before the first request', () => {
    // Ajv refuses such a schema as soon as it compiles it.
    const validate = createValidators()({}, options)(toRoute({ type: 'nothing that there is' }));
    expect(() => validate({})).toThrow(/type/);
  });

  it('say what is wrong with the last value that they were given', () => {
    const validate = createValidators()({ Named }, options)(toRoute({ $ref: 'Named#' }));
    expect(validate({ name: 1n })).toBe(false);
    expect(validate.errors).toMatchObject([{ instancePath: '/name', keyword: 'type' }]);
    expect(validate({ name: 'Ada' })).toBe(true);
    expect(validate.errors).toBeNull();
  });
});
