import FastJsonStringify from '@fastify/fast-json-stringify-compiler';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Answer, Component, Nullable, StringEnum } from './shapes.ts';

const Thing = Answer('Thing', { name: Nullable(Type.String()), kind: Nullable(StringEnum(['a', 'b'])) });

/** Writes an answer as the service does. */
function write(schema: unknown, answer: unknown): string {
  const compile = FastJsonStringify()({ Thing }, {});
  return compile({ schema, method: 'GET', url: '/', httpStatus: '200' } as never)(answer);
}

describe('what may be null', () => {
  it.each([
    ['a shared component', Nullable(Component(Thing))],
    ['a list', Nullable(Type.Array(Component(Thing)))],
    ['an object', Nullable(Answer(null, { name: Type.String() }))],
    ['a text', Nullable(Type.String())],
    ['a number', Nullable(Type.Number())],
    ['a choice of texts', Nullable(StringEnum(['a', 'b']))],
  ])('is written as null: %s', (_what, schema) => {
    expect(write(Answer(null, { thing: schema }), { thing: null })).toBe('{"thing":null}');
  });

  it('is written whole where it is a shared component that is there', () => {
    const thing = { name: 'x', kind: null };
    expect(write(Answer(null, { thing: Nullable(Component(Thing)) }), { thing })).toBe(
      JSON.stringify({ thing }),
    );
  });
});
