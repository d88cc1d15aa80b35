import { describe, expect, it } from 'vitest';
import { createSerialisers } from './serialise.ts';

const NOTE = {
  $id: 'Note',
  type: 'object',
  properties: { text: { type: 'string' } },
  additionalProperties: false,
};
const route = { method: 'GET', url: '/notes', httpStatus: '200' };

describe('createSerialisers', () => {
  it('writes what the schema declares and nothing else', () => {
    const serialiser = createSerialisers({ Note: NOTE });
    const schema = { type: 'object', properties: { note: { $ref: 'Note#' } } };
    const serialise = serialiser({ ...route, schema });
    expect(serialise({ note: { text: 'a', secret: 'b' }, more: 1 })).toBe('{"note":{"text":"a"}}');
  });

  it('compiles nothing before the first answer', () => {
    const serialiser = createSerialisers({});
    const serialise = serialiser({ ...route, schema: { $ref: 'Missing#' } });
    expect(() => serialise({})).toThrow('Missing');
  });

  it('shares one function among all answers of one component', () => {
    const serialiser = createSerialisers({ Note: NOTE });
    const refused = (httpStatus: string) =>
      serialiser({ ...route, httpStatus, schema: { $ref: 'Note#', description: httpStatus } });
    expect(refused('400')).toBe(refused('404'));
  });
});
