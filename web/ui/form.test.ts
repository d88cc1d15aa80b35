import { describe, expect, it } from 'vitest';
import { findMissing, needsPayment, type Paying, toFormBody, toSubmitBody } from './form.ts';
import type { CheckoutItem, FormFields, FormValues, Quote } from './view.ts';

const FIELDS: FormFields = {
  countries: ['US', 'DE'],
  buyer: { name: 'off', address: 'off' },
  postalCodeCountries: ['US'],
  noPostalCodeCountries: ['HK'],
  statesByCountry: { US: [{ code: 'CA', name: 'California' }] },
  custom: [
    { key: 'nick', label: 'Nickname', type: 'text', required: true, options: [], pattern: null },
    { key: 'note', label: 'Note', type: 'text', required: false, options: [], pattern: null },
  ],
  paymentRequired: true,
};
const VALUES: FormValues = {
  email: ' ada@example.com ',
  firstName: '',
  lastName: '',
  countryCode: 'US',
  state: 'CA',
  city: '',
  postalCode: ' 94110 ',
  type: 'individual',
  companyName: 'Ada Ltd',
  taxNumber: 'DE129273398',
  address: '',
  quantities: { o1: 2 },
  discountCode: ' LAUNCH ',
  remind: true,
  customFields: { nick: 'ada' },
};
const VIEW = { fields: FIELDS, form: VALUES, link: null, asksReminder: false };
const CARD: Paying = {
  option: 'card',
  card: { number: '4242 4242 4242 4242', expiry: '12/35', cvc: '123', name: ' Ada ' },
  keeps: false,
};
// Only what the body is made of is read from the quote.
const QUOTE = { total: 5831, dueNow: 0, fingerprint: 'f1', consents: [] as Quote['consents'] } as Quote;

describe('toFormBody', () => {
  it('sends the place and trims what was typed', () => {
    expect(toFormBody(VALUES, VIEW)).toMatchObject({
      email: 'ada@example.com',
      countryCode: 'US',
      state: 'CA',
      postalCode: '94110',
      discountCode: 'LAUNCH',
      quantities: { o1: 2 },
    });
  });

  it('says that a mail is wanted where that is asked alone', () => {
    expect(toFormBody(VALUES, VIEW)).not.toHaveProperty('remind');
    expect(toFormBody(VALUES, { ...VIEW, asksReminder: true })).toMatchObject({ remind: true });
  });

  it('leaves out the company of a buyer who is none', () => {
    expect(toFormBody(VALUES, VIEW)).not.toHaveProperty('taxNumber');
    expect(toFormBody({ ...VALUES, type: 'company' }, VIEW)).toMatchObject({
      companyName: 'Ada Ltd',
      taxNumber: 'DE129273398',
    });
  });

  it('sends a name and an address as they were told where the page asks for none', () => {
    const typed = { ...VALUES, firstName: 'Eve', address: 'Typed 1', city: 'Town' };
    const view = { ...VIEW, form: { ...VALUES, firstName: 'Ada', city: 'Ulm' } };
    expect(toFormBody(typed, view)).toMatchObject({ firstName: 'Ada', address: '', city: 'Ulm' });
    expect(toFormBody({ ...typed, type: 'company' }, view)).toMatchObject({
      address: 'Typed 1',
      city: 'Town',
    });
  });

  it('leaves out state and postal code of a country left behind', () => {
    const body = toFormBody({ ...VALUES, countryCode: 'DE' }, VIEW);
    expect(body).not.toHaveProperty('state');
    expect(body).not.toHaveProperty('postalCode');
  });
});

describe('toFormBody of a cart whose quantity is not the buyer’s', () => {
  it('sends no quantity, since the server would refuse it', () => {
    expect(toFormBody({ ...VALUES, quantities: {} }, VIEW)).not.toHaveProperty('quantities');
  });
});

describe('toSubmitBody', () => {
  it('names the price shown and sends the bare card number', () => {
    expect(
      toSubmitBody(toFormBody(VALUES, VIEW), { quote: QUOTE, paying: CARD, ticked: new Set() }),
    ).toMatchObject({
      expectedTotal: 5831,
      fingerprint: 'f1',
      card: { number: '4242424242424242', expiry: '12/35', cvc: '123', name: 'Ada' },
    });
  });

  it('says that the money is sent, with no card', () => {
    const body = toSubmitBody(toFormBody(VALUES, VIEW), {
      quote: QUOTE,
      paying: { option: 'transfer' },
      ticked: new Set(),
    });
    expect(body).toMatchObject({ payment: { option: 'transfer' } });
    expect(body).not.toHaveProperty('card');
  });

  it('has no card where none is needed', () => {
    expect(
      toSubmitBody(toFormBody(VALUES, VIEW), { quote: QUOTE, paying: null, ticked: new Set() }),
    ).not.toHaveProperty('card');
  });
});

describe('findMissing', () => {
  it('finds nothing missing in a complete form', () => {
    expect(findMissing(VALUES, FIELDS, CARD)).toEqual({});
  });

  it('names every field that is missing, and no optional one', () => {
    const empty = { ...VALUES, email: 'ada', state: '', postalCode: '', customFields: {} };
    const paying: Paying = {
      option: 'card',
      card: { number: '4242', expiry: '13/35', cvc: '1', name: '' },
      keeps: false,
    };
    expect(Object.keys(findMissing(empty, FIELDS, paying)).sort()).toEqual([
      'card.cvc',
      'card.expiry',
      'card.number',
      'customFields.nick',
      'email',
      'postalCode',
      'state',
    ]);
  });

  it('asks who sends the money for their place and for no card', () => {
    expect(findMissing(VALUES, FIELDS, { option: 'transfer' })).toEqual({});
    const nowhere = { ...VALUES, countryCode: '' };
    expect(Object.keys(findMissing(nowhere, FIELDS, { option: 'transfer' }))).toEqual(['countryCode']);
  });

  it('leaves the state to the postal code, and asks for it where there is none', () => {
    expect(findMissing({ ...VALUES, state: '' }, FIELDS, CARD)).toEqual({});
    expect(findMissing({ ...VALUES, state: '', postalCode: '' }, FIELDS, CARD)).toHaveProperty('state');
  });

  it('asks neither state nor postal code where the country has none', () => {
    const german = { ...VALUES, countryCode: 'DE', state: '', postalCode: '' };
    expect(findMissing(german, FIELDS, CARD)).toEqual({});
  });

  it('lets a free product be claimed with an email address alone', () => {
    const claim = { ...VALUES, countryCode: '', state: '', postalCode: '' };
    expect(findMissing(claim, FIELDS, null)).toEqual({});
    expect(Object.keys(findMissing(claim, FIELDS, CARD))).toEqual(['countryCode']);
  });

  it('asks a company for name and address, not for its tax number', () => {
    const company: FormValues = {
      ...VALUES,
      type: 'company',
      companyName: '',
      taxNumber: '',
      postalCode: '',
    };
    const address = ['companyName', 'address', 'city', 'postalCode'];
    expect(Object.keys(findMissing({ ...company, countryCode: 'DE' }, FIELDS, CARD))).toEqual(address);
    expect(findMissing(company, FIELDS, null)).toEqual({});
  });

  it('asks no postal code where the post has none', () => {
    const company: FormValues = { ...VALUES, type: 'company', countryCode: 'HK', postalCode: '' };
    expect(Object.keys(findMissing(company, FIELDS, CARD))).toEqual(['address', 'city']);
  });

  it('asks a person for what the shop wants to know', () => {
    const fields: FormFields = { ...FIELDS, buyer: { name: 'required', address: 'optional' } };
    expect(Object.keys(findMissing(VALUES, fields, CARD))).toEqual(['firstName', 'lastName']);
  });
});

describe('needsPayment', () => {
  const once = { items: [], fields: FIELDS };
  const item = { recurring: { interval: 'month', count: 1 } } as CheckoutItem;

  it('asks for a card when something is due', () => {
    expect(needsPayment(once, { ...QUOTE, dueNow: 1 })).toBe(true);
  });

  it('asks for none when a discount has brought a single purchase to 0', () => {
    expect(needsPayment(once, { ...QUOTE, dueNow: 0 })).toBe(false);
  });

  it('asks for one in a trial, which has nothing due yet', () => {
    expect(needsPayment({ ...once, items: [item] }, { ...QUOTE, dueNow: 0 })).toBe(true);
  });
});
