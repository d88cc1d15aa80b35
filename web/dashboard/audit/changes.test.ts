import { describe, expect, it } from 'vitest';
import { toWords } from '../ui/to-words.ts';
import { readRecord, writeRecorded } from './changes.ts';

const product = { object: 'product', id: 'p', name: 'Rocket', description: null, version: 1, updatedAt: 1 };

describe('what an entry records', () => {
  it('is each field that differs, whichever way the answer holds its object', () => {
    const after = { product: { ...product, description: 'Fast', version: 2, updatedAt: 9 }, offers: [] };
    expect(readRecord({ before: product, after })).toEqual({
      name: 'Rocket',
      exported: '',
      customerId: '',
      currency: '',
      changed: [{ path: 'description', before: null, after: 'Fast' }],
    });
  });

  it('is told of blocks field by field', () => {
    const settings = { object: 'settings', seller: { name: 'A', city: 'B' }, graceDays: 7 };
    const after = { settings: { ...settings, seller: { name: 'A', city: 'C' } } };
    expect(readRecord({ before: { settings }, after }).changed).toEqual([
      { path: 'seller.city', before: 'B', after: 'C' },
    ]);
  });

  it('is of several objects of an answer the one that was there before', () => {
    const order = { object: 'order', number: 'ABC', status: 'PAID' };
    const after = {
      refund: { object: 'refund', status: 'succeeded' },
      order: { ...order, status: 'REFUNDED' },
    };
    const { name, changed } = readRecord({ before: order, after });
    expect([name, changed]).toEqual(['ABC', [{ path: 'status', before: 'PAID', after: 'REFUNDED' }]]);
  });

  it('tells once what a state only follows, and a state of its own beside its status', () => {
    const discount = { object: 'discount', status: 'active', state: 'active' };
    const turn = (after: object) =>
      readRecord({ before: discount, after: { discount: { ...discount, ...after } } }).changed;
    const off = { path: 'status', before: 'active', after: 'inactive' };
    expect(turn({ status: 'inactive', state: 'inactive' })).toEqual([off]);
    const expired = { path: 'state', before: 'active', after: 'expired' };
    expect(turn({ status: 'inactive', state: 'expired' })).toEqual([off, expired]);
    expect(turn({ state: 'expired' })).toEqual([expired]);
  });

  it('names what goes on after the answer by what was asked for', () => {
    const after = { id: 'o', asked: { offersIds: ['a'], userEmail: 'ada@example.com' } };
    expect(readRecord({ before: null, after })).toMatchObject({ name: 'ada@example.com', changed: [] });
    const note = { object: 'note', id: 'n', text: 'Called back' };
    expect(readRecord({ before: null, after: { note } }).name).toBe('Called back');
    const made = { object: 'export', id: 'e', resource: 'orders' };
    expect(readRecord({ before: null, after: { export: made } }).exported).toBe('orders');
    const opened = { object: 'portal_session', id: 's', userId: 'u', flow: 'overview' };
    expect(readRecord({ before: null, after: { portalSession: opened } }).customerId).toBe('u');
  });

  it('is named by what was there before where the answer is of something else, whose id is no change', () => {
    const before = { object: 'subscription', id: 'ABC', orderNumber: 'ABC', value: 100 };
    const after = { id: '01a26033-50e8', asked: { quantity: 2 } };
    expect(readRecord({ before, after })).toMatchObject({ name: 'ABC', changed: [] });
  });

  it('is nothing of what was made anew, and the little that is noted of a sign-in', () => {
    expect(readRecord({ before: null, after: { product } })).toMatchObject({ name: 'Rocket', changed: [] });
    const session = '01a22d9e-cd1f-7123-bcf5-a61aed86b431';
    expect(readRecord({ before: null, after: { id: 's', session, method: 'password' } }).changed).toEqual([
      { path: 'method', before: undefined, after: 'password' },
    ]);
    expect(readRecord({ before: null, after: null })).toEqual({
      ...{ name: '', exported: '', customerId: '', currency: '' },
      changed: [],
    });
  });
});

it('writes amounts, moments and states as people read them', () => {
  const tools = {
    t: (key: string) => key,
    tName: (prefix: string, name: string) => `${prefix}${name}`,
    money: (amount: number, currency: string) => `${amount} ${currency}`,
    number: (value: number) => `#${value}`,
    time: (ms: number) => `at ${ms}`,
    countryName: (code: string) => `in ${code}`,
  };
  const write = (path: string, value: unknown) => writeRecorded(value, path, 'EUR', tools);
  expect([write('price', 1999), write('validFrom', 1_700_000_000_000), write('limit', 5)]).toEqual([
    '1999 EUR',
    'at 1700000000000',
    '#5',
  ]);
  expect([write('status', 'PAID'), write('mutableQuantity', true), write('name', null)]).toEqual([
    'status.PAID',
    'yes',
    'audit.empty',
  ]);
  expect([write('permissions.orders', 'read'), write('sellerCountry', 'DE'), write('type', 'code')]).toEqual([
    'level.read',
    'in DE',
    'type.code',
  ]);
  expect([write('tags', ['a', 'b']), write('rows', [{ at: 1 }])]).toEqual(['a, b', '[{"at":1}]']);
});

it('writes a choice of the settings as their form does, and leaves alone what somebody wrote', () => {
  const words: Record<string, string> = {
    'cancelTiming.endInterval': 'Am Ende des Zeitraums',
    'proration.create_prorations': 'Mit der nächsten Zahlung',
  };
  const tools = {
    ...{ t: String, money: String, number: String, time: String, countryName: String },
    tName: (prefix: string, name: string) => words[prefix + name] ?? toWords(name),
  };
  const write = (path: string, value: unknown) => writeRecorded(value, path, '', tools);
  expect(write('portal.cancelTiming', 'endInterval')).toBe('Am Ende des Zeitraums');
  expect(write('portal.upgradeProration', 'create_prorations')).toBe('Mit der nächsten Zahlung');
  expect(write('name', 'myShop')).toBe('myShop');
});
