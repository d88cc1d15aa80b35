import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { type Answer, createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const CREATE = '/v0/discounts/create';
const JSON_TYPE = { 'content-type': 'application/json' };

function send(body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Promise<Answer> {
  return app.test.request('POST', CREATE, { body, headers });
}

/** A sale whose one field is written as the text given, so that no JSON library mends it. */
function withField(field: string, text: string): string {
  return `{"type":"sale","amount":10,"amountType":"percentage","${field}":${text}}`;
}

const sale = { type: 'sale', amount: 10, amountType: 'percentage' };
const unpaired = '"\\ud800"';

async function countDiscounts(): Promise<number> {
  const { body } = await app.test.get('/v0/discounts/list', { query: { withArchived: 'true' } });
  return body.data.count;
}

describe('a body with one key twice', () => {
  it.each([
    ['at the top', '{"type":"sale","amount":10,"amountType":"percentage","amount":90}', 'amount'],
    ['in an object within', withField('name', '{"a":1,"a":1}'), 'a'],
    ['in an object of a list', withField('name', '[{"a":1},{"b":{"c":1},"b":2}]'), 'b'],
    ['spelt in two ways', withField('name', '"x","n\\u0061me":"y"'), 'name'],
    ['with blanks before its colon', '{"type":"sale","type" \n\t:"code"}', 'type'],
    ['after a text that holds quotes and colons', withField('name', '"\\\\\\":\\"{:", "type":1'), 'type'],
  ])('is 400 and named: %s', async (_where, body, key) => {
    const before = await countDiscounts();
    const answer = await send(body);
    expect(answer.body.error).toMatchObject({
      code: 'duplicate_key',
      message: `${key} is given more than once in one object`,
      details: [{ path: key }],
    });
    expect(answer.status).toBe(400);
    expect(await countDiscounts()).toBe(before);
  });

  it('is not seen where two objects have the key, or a text looks like one', async () => {
    const body = JSON.stringify({ ...sale, name: '","amount":1,"amount":2', includedOffers: [] });
    expect((await send(body)).status).toBe(200);
    await expectRefusal(send(withField('name', '[{"a":1},{"a":1}]')), 400, 'invalid_input');
  });
});

describe('a body that cannot be read', () => {
  it.each(['gzip', 'GZIP', 'br', 'gzip, identity', 'x-unknown'])(
    'is 415 and names content-encoding where it is %s',
    async (encoding) => {
      const headers = { ...JSON_TYPE, 'content-encoding': encoding };
      const answer = await send(gzipSync(JSON.stringify(sale)), headers);
      expect(answer.body.error).toMatchObject({ code: 'unsupported_media_type' });
      expect(answer.body.error.message).toContain('content-encoding');
      expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'identity']);
      const upload = { ...headers, 'content-type': 'text/plain', 'x-file-name': 'a.txt' };
      const file = app.test.request('POST', '/v0/files/upload', { body: gzipSync('text'), headers: upload });
      await expectRefusal(file, 415, 'unsupported_media_type');
    },
  );

  it('is read where its encoding says that there is none', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'identity' };
    expect((await send(JSON.stringify(sale), headers)).status).toBe(200);
  });

  it('T36 is 413 above 1 MiB, and passes below', async () => {
    const big = (bytes: number) => Buffer.alloc(bytes, ' ');
    await expectRefusal(send(big(1024 * 1024 + 1)), 413, 'body_too_large');
    // Blank to its end: read whole and found to be no JSON.
    await expectRefusal(send(big(1024 * 1024)), 400, 'invalid_json');
  });

  it.each(['text/plain', 'application/xml', 'application/jsonp', 'multipart/form-data; boundary=x'])(
    'T36 is 415 with content type %s',
    async (type) => {
      await expectRefusal(send('{}', { 'content-type': type }), 415, 'unsupported_media_type');
    },
  );

  it('is 415 as an upload of no type at all, which is not asked for JSON', async () => {
    const headers = { 'content-type': 'x', 'x-file-name': 'a.txt' };
    const { status, body } = await app.test.request('POST', '/v0/files/upload', {
      body: Buffer.from('text'),
      headers,
    });
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
    expect(body.error.message).toContain('names no type of file');
  });

  it('is taken with a charset beside the content type', async () => {
    const typed = { 'content-type': 'application/json; charset=utf-8' };
    expect((await send(JSON.stringify(sale), typed)).status).toBe(200);
  });

  it.each([
    ['cut off', '{"type":'],
    ['two values', '{} {}'],
    ['a number that is none', withField('name', 'NaN')],
    ['10,000 levels', withField('name', '['.repeat(10_000) + ']'.repeat(10_000))],
    ['10,000 levels of objects', withField('name', '{"a":'.repeat(10_000) + 1 + '}'.repeat(10_000))],
    ['100,000 keys', `{${Array.from({ length: 100_000 }, (_, i) => `"${i}":1`).join()}}`],
    ['broken UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
  ])('T36 is 400 for %s', async (_name, body) => {
    await expectRefusal(send(body), 400, 'invalid_json');
  });

  it.each([
    ['__proto__', '{"a":1}'],
    ['__proto__', '"text"'],
    ['constructor', '{"prototype":{"a":1}}'],
    ['constructor', '"text"'],
  ])('is 400 for the key %s of %s, naming it as any field that is unknown', async (key, value) => {
    const answer = await send(withField(key, value));
    expect(answer.status).toBe(400);
    const details = [{ path: key, message: 'is not a known field' }];
    expect(answer.body.error).toMatchObject({ code: 'invalid_input', details });
  });

  it.each([
    ['U+0000', '"a\\u0000b"'],
    ['a lone surrogate', unpaired],
  ])('is 400 for %s, naming the field', async (_name, text) => {
    const answer = await send(withField('name', text));
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_input', details: [{ path: 'name' }] });
    expect((await send(`{${text}:1}`)).status).toBe(400);
  });

  it.each(['[]', '[{}]', '"text"', '1', 'true', 'null'])(
    'is 400 for %s instead of an object',
    async (body) => {
      await expectRefusal(send(body), 400, 'invalid_input');
    },
  );

  it.each(['[]', '"text"', '0', 'false', 'null'])(
    'is 400 for %s where no field is required, and does nothing',
    async (body) => {
      const { id } = (await app.test.post(CREATE, sale)).body.data.discount;
      for (const action of ['update', 'archive']) {
        const path = `/v0/discounts/${id}/${action}`;
        const answer = await app.test.request('PATCH', path, { body, headers: JSON_TYPE });
        expect(answer.status).toBe(400);
        expect(answer.body.error).toMatchObject({ code: 'invalid_input', details: [{ path: 'body' }] });
      }
      expect((await app.test.get(`/v0/discounts/${id}`)).body.data.discount.archivedAt).toBeNull();
    },
  );
});

describe('a word that is none of a field that may be null', () => {
  it('is told that null is one of them', async () => {
    const productId = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
    const offer = { productId, price: 100, taxBehavior: 'Inclusive' };
    const answer = await app.test.post('/v0/offers/create', offer);
    expect(answer.body.error.details).toContainEqual({
      path: 'taxBehavior',
      message: 'must be one of inclusive, exclusive, null',
    });
  });
});

describe('a word that is none of many', () => {
  it('is told the first of them, and that there are more', async () => {
    const bank = { kind: 'manual', name: 'Bank', instructions: { en: 'At our desk' } };
    const answer = await app.test.post('/v0/processors/connect', { ...bank, currencies: ['EURO'] });
    const [{ path, message }] = answer.body.error.details;
    expect([path, message]).toEqual([
      'currencies.0',
      expect.stringMatching(/^must be one of (?:[A-Z]{3}, ){12}…$/),
    ]);
  });
});

describe('an empty body', () => {
  it('is {} with and without a content type', async () => {
    const { body } = await app.test.post(CREATE, sale);
    const path = `/v0/discounts/${body.data.discount.id}/archive`;
    expect((await app.test.request('PATCH', path)).status).toBe(200);
    expect((await app.test.request('PATCH', path, { headers: JSON_TYPE })).status).toBe(200);
    const missing = await app.test.request('POST', CREATE, { headers: JSON_TYPE });
    expect(missing.body.error).toMatchObject({ code: 'invalid_input', message: 'type is required' });
  });
});

describe('a field', () => {
  it('that is unknown is named and nothing is written', async () => {
    const before = await countDiscounts();
    for (const field of ['nmae', 'id', 'workspaceId', 'createdAt', 'fee', 'role', 'timesUsed', 'state']) {
      const answer = await app.test.post(CREATE, { ...sale, [field]: 1 });
      expect(answer.status, field).toBe(400);
      expect(answer.body.error.message).toContain(field);
      expect(answer.body.error.details[0].path).toBe(field);
    }
    expect(await countDiscounts()).toBe(before);
  });

  it.each([
    '-0',
    '1e400',
    '-1e400',
    '9007199254740992',
    '9007199254740993',
    '"100"',
    '1.5',
    '-1',
    '0',
    'true',
  ])('of money is not %s', async (text) => {
    const before = await countDiscounts();
    const answer = await send(`{"type":"sale","amountType":"fixed","currency":"EUR","amount":${text}}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('amount');
    expect(await countDiscounts()).toBe(before);
  });

  it.each(['1', '9007199254740991', '12.0', '1e2'])(
    'of money may be %s and comes back the same',
    async (text) => {
      const answer = await send(`{"type":"sale","amountType":"fixed","currency":"EUR","amount":${text}}`);
      expect(answer.body.data?.discount.amount).toBe(Number(text));
    },
  );

  it('of text comes back as it was, whatever it holds', async () => {
    const texts = [
      "'; drop table discounts; --",
      '<script>alert(1)</script>',
      '%s%n\\',
      '\u202e\u{1f600} ż ب',
    ];
    for (const name of texts) {
      const { body } = await app.test.post(CREATE, { ...sale, name });
      expect(body.data.discount.name).toBe(name);
    }
  });

  it('of time is taken in ms and in seconds', async () => {
    const { body } = await app.test.post(CREATE, {
      ...sale,
      validFrom: 1_700_000_000,
      validUntil: 1_900_000_000_000,
    });
    expect(body.data.discount).toMatchObject({ validFrom: 1_700_000_000_000, validUntil: 1_900_000_000_000 });
  });

  it('id is the same in capitals', async () => {
    const offerId = await makeOffer(app.test);
    const { body, text } = await buy(app.test, { offersIds: [offerId.toUpperCase()] });
    expect(body.data?.order.status, text).toBe('PAID');
    const includedOffers = [offerId.toUpperCase()];
    const made = await app.test.post(CREATE, { ...sale, includedOffers });
    expect(made.body.data.discount.includedOffers, made.text).toEqual([offerId]);
    await app.test.patch(`/v0/discounts/${made.body.data.discount.id}/archive`);
  });

  it('id in a body must be the one of the path', async () => {
    const { id } = (await app.test.post(CREATE, sale)).body.data.discount;
    const path = `/v0/discounts/${id}/update`;
    expect((await app.test.patch(path, { id, name: 'Same' })).status).toBe(200);
    expect((await app.test.patch(path, { id: id.toUpperCase(), name: 'Same' })).status).toBe(200);
    const foreign = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
    await expectRefusal(app.test.patch(path, { id: foreign }), 400, 'invalid_input');
  });
});
