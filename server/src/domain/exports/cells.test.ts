import { describe, expect, it } from 'vitest';
import { createCellWriter, guardText, toHeader, toMajor } from './cells.ts';
import { type FieldShape, listColumns, spreadFields } from './columns.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const amount: FieldShape = { type: 'integer', minimum: -MAX, maximum: MAX };
const time: FieldShape = { type: ['integer', 'null'], minimum: 0, maximum: MAX };
const text: FieldShape = { type: 'string' };
const shape: FieldShape = {
  properties: {
    object: { type: 'string', enum: ['sale'] },
    number: text,
    value: amount,
    currency: { type: 'string', enum: ['EUR', 'JPY'] },
    count: { type: 'integer' },
    isNew: { type: 'boolean' },
    paidAt: time,
    user: { $ref: 'User#' },
    names: { type: 'array', items: text },
    lines: { type: 'array', items: { properties: { a: text } } },
    customFields: { type: ['object', 'null'], patternProperties: { '^.*$': text } },
  },
};
const shared = new Map<string, FieldShape>([
  ['User#', { type: 'object', properties: { username: text, spent: amount } }],
]);
const columns = spreadFields(listColumns(shape, shared), ['size']);

describe('the columns of a file', () => {
  it('are called by the paths of the API, with what is added beside amounts and moments', () => {
    expect(toHeader(columns)).toEqual([
      ...['number', 'value', 'value_major', 'currency', 'count', 'isNew', 'paidAt', 'paidAt_utc'],
      ...['user.username', 'user.spent', 'user.spent_major', 'names', 'lines', 'customFields.size'],
    ]);
  });

  it('write numbers as numbers, moments in UTC, and texts that no spreadsheet runs', () => {
    const row = {
      ...{ object: 'sale', number: '=1+1', value: -500, currency: 'EUR', count: -3, isNew: true },
      paidAt: Date.UTC(2026, 1, 3, 4, 5, 6, 7),
      user: { username: '@ada', spent: 5 },
      ...{ names: ['-a', 'b'], lines: [{ a: 'x' }], customFields: { size: '+49' } },
    };
    expect(createCellWriter(columns, 'EUR')(row)).toEqual([
      ...["'=1+1", '-500', '-5.00', 'EUR', '-3', 'true', '1770091506007', '2026-02-03T04:05:06.007Z'],
      ...["'@ada", '5', '0.05', "'-a; b", '[{"a":"x"}]', "'+49"],
    ]);
  });

  it('write an amount in the store’s currency where the row tells none', () => {
    const customers = listColumns(
      { properties: { email: text, spent: { type: 'integer', 'x-sum': true } } },
      shared,
    );
    expect(toHeader(customers)).toEqual(['email', 'spent', 'spent_major']);
    const row = { email: 'ada@example.com', spent: 12_345 };
    const write = (currency: string | null) => createCellWriter(customers, currency)(row).at(-1);
    expect([write('KWD'), write('JPY'), write(null)]).toEqual(['12.345', '12345', '']);
  });

  it('leave empty what is not there', () => {
    const row = { number: null, value: 7, currency: 'JPY', paidAt: null, user: null, customFields: null };
    expect(createCellWriter(columns, 'EUR')(row)).toEqual([
      ...['', '7', '7', 'JPY', '', '', '', '', '', '', '', '', '', ''],
    ]);
  });
});

it.each([
  [-500, 'EUR', '-5.00'],
  [5, 'EUR', '0.05'],
  [-7, 'EUR', '-0.07'],
  [1_234_567, 'USD', '12345.67'],
  [1500, 'JPY', '1500'],
  [-1, 'BHD', '-0.001'],
  [0, 'EUR', '0.00'],
  [MAX, 'EUR', '90071992547409.91'],
])('%d minor units of %s are %s', (minor, currency, major) => {
  expect(toMajor(minor, currency)).toBe(major);
});

it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx'])('guards %j', (words) => {
  expect(guardText(words)).toBe(`'${words}`);
});

it.each(['', 'a=1', "'=1", ' =1'])('leaves %j as it is', (words) => {
  expect(guardText(words)).toBe(words);
});
