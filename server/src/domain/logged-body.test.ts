import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BodySchema, createBodyKeeper } from './logged-body.ts';

const shared = new Map<string, BodySchema>([
  ['Order#', { properties: { id: {}, number: {}, payUrl: {}, user: { $ref: 'User#' } } }],
  ['User#', { properties: { id: {}, email: {}, username: {} } }],
]);
const keepText = (value: unknown, schema: BodySchema, bytesMax = 1_000) =>
  createBodyKeeper({ schema, shared, bytesMax })(value);
const keep = (value: unknown, schema: BodySchema) => JSON.parse(keepText(value, schema) ?? 'null');

describe('D58 what the request log keeps of a body', () => {
  test('is what the operation declares', () => {
    const schema = { properties: { name: {}, offers: { items: { properties: { price: {} } } } } };
    const body = { name: 'Sword', typo: 'secret', offers: [{ price: 100, other: 1 }] };
    expect(keep(body, schema)).toEqual({ name: 'Sword', offers: [{ price: 100 }] });
  });

  test.each([
    'password',
    'card',
    'cardNumber',
    'key',
    'productKeys',
    'publicKey',
    'secret',
    'token',
    'payUrl',
  ])('is never a field called %s', (name) => {
    expect(keep({ [name]: 'x', id: 1 }, { properties: { [name]: {}, id: {} } })).toEqual({ id: 1 });
  });

  test('follows shared forms, and masks addresses', () => {
    const order = { id: '1', number: 'A', payUrl: 'https://x', user: { id: '2', email: 'bob@example.com' } };
    const schema = { properties: { order: { anyOf: [{ $ref: 'Order#' }, {}] } } };
    expect(keep({ order }, schema)).toEqual({
      order: { id: '1', number: 'A', user: { id: '2', email: 'b••••@example.com' } },
    });
  });

  test('leaves out what has no declared form, and what is no object where one is declared', () => {
    const schema = { properties: { free: {}, block: { properties: { a: {} } } } };
    expect(keep({ free: { anything: 1 }, block: 'a word' }, schema)).toBeNull();
  });

  test('is nothing of a body that is too long, be it by one sign', () => {
    const schema = { properties: { names: { items: {} } } };
    const text = '{"names":["a","b"]}';
    expect(keepText({ names: ['a', 'b'] }, schema, text.length)).toBe(text);
    expect(keepText({ names: ['a', 'b'] }, schema, text.length - 1)).toBeNull();
    expect(keepText({ names: ['é', 'b'] }, schema, text.length)).toBeNull();
    expect(keepText({ names: Array(1_000).fill('a') }, schema)).toBeNull();
  });

  test('holds nothing that the store cannot hold as JSON, and all else as it was sent', () => {
    const schema = { properties: { name: {} } };
    const name = 'a\u0000b\ud800c\udc00 \\u0000 \\\ud83d 🙂 \u0001';
    expect(keep({ name }, schema)).toEqual({
      name: 'a\ufffdb\ufffdc\ufffd \\u0000 \\\ufffd 🙂 \u0001',
    });
  });

  test('is the JSON of any value that stands for itself', () => {
    const schema = { properties: { value: {}, values: { items: {} } } };
    const plain = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(plain, fc.array(plain, { minLength: 1 }), (value, values) => {
        const expected = JSON.parse(JSON.stringify({ value, values }), (_, inner) =>
          typeof inner === 'string' ? inner.replaceAll('\u0000', '\ufffd') : inner,
        );
        expect(JSON.parse(keepText({ value, values }, schema, 100_000) ?? '')).toEqual(expected);
      }),
    );
  });

  test('follows a form that holds itself', () => {
    const inner = new Map<string, BodySchema>([
      ['Node#', { properties: { id: {}, next: { $ref: 'Node#' }, secret: {} } }],
    ]);
    const keeper = createBodyKeeper({ schema: { $ref: 'Node#' }, shared: inner, bytesMax: 1_000 });
    const body = { id: 1, secret: 'x', next: { id: 2, secret: 'y', next: null } };
    expect(keeper(body)).toBe('{"id":1,"next":{"id":2,"next":null}}');
  });
});
