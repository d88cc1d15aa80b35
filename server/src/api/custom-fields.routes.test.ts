import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => app.close());

const unknownId = '0192f0c0-0000-7000-8000-000000000000';
let lastKey = 0;
/** A body of a text field with a key of its own. */
function textField(changes: Record<string, unknown> = {}) {
  lastKey += 1;
  return { key: `field${lastKey}`, label: 'Nickname', type: 'text', ...changes };
}

async function create(changes: Record<string, unknown> = {}) {
  const { body } = await app.test.post('/v0/custom-fields/create', textField(changes));
  return body.data.customField;
}

describe('POST /v0/custom-fields/create', () => {
  describe('200', () => {
    it('answers every field and never the secret', async () => {
      const input = {
        ...textField({ required: false, pattern: '[a-z]{3,16}', projectId: unknownId }),
        validationUrl: 'https://shop.example/check',
        validationSecret: 'a secret of sixteen',
      };
      const { status, body } = await app.test.post('/v0/custom-fields/create', input);
      expect(status).toBe(200);
      const { validationSecret: _secret, ...shown } = input;
      expect(body.data.customField).toEqual({
        ...shown,
        object: 'custom_field',
        id: expect.any(String),
        options: [],
        archivedAt: null,
        version: 1,
      });
    });

    it('asks for an answer unless told otherwise', async () => {
      expect((await create()).required).toBe(true);
    });

    it('keeps the choices of a dropdown in order', async () => {
      const field = await create({ type: 'dropdown', options: ['L', 'S', 'M'] });
      expect(field.options).toEqual(['L', 'S', 'M']);
    });

    it('answers a repeated Idempotency-Key with the same field', async () => {
      const input = textField();
      const headers = { 'idempotency-key': 'one field' };
      const first = await app.test.post('/v0/custom-fields/create', input, { headers });
      const second = await app.test.post('/v0/custom-fields/create', input, { headers });
      expect(second.body).toEqual(first.body);
      expect(second.headers['idempotent-replayed']).toBe('true');
    });
  });

  describe('400', () => {
    it.each([
      ['a key with a blank', { key: 'two words' }, 'key'],
      ['a key that begins with a digit', { key: '1st' }, 'key'],
      ["a key of the checkout page's own", { key: 'svc-quantity' }, 'key'],
      ['a dropdown without choices', { type: 'dropdown' }, 'options'],
      ['choices of a text', { options: ['a'] }, 'options'],
      ['a pattern of a dropdown', { type: 'dropdown', options: ['a'], pattern: 'a' }, 'pattern'],
      ['a pattern with look-ahead', { pattern: '(?=a)b' }, 'pattern'],
      ['a pattern above 200 characters', { pattern: 'a'.repeat(201) }, 'pattern'],
      ['a validator that is no web address', { validationUrl: 'ftp://shop.example' }, 'validationUrl'],
      ['a validator without slashes', { validationUrl: 'https:shop.example' }, 'validationUrl'],
      ['a validator with user info', { validationUrl: 'https://a:b@shop.example' }, 'validationUrl'],
      ['a secret without a validator', { validationSecret: 'a secret of sixteen' }, 'validationSecret'],
      ['an unknown field', { placeholder: 'x' }, 'placeholder'],
      ['a null label', { label: null }, 'label'],
    ])('refuses %s', async (_case, changes, path) => {
      const { status, body } = await app.test.post('/v0/custom-fields/create', textField(changes));
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe(path);
    });
  });

  describe('401', () => {
    it('refuses a write without the secret key', async () => {
      const { status } = await app.test.post('/v0/custom-fields/create', textField(), { keys: 'public' });
      expect(status).toBe(401);
    });
  });

  describe('409', () => {
    it('refuses a key in use', async () => {
      const { key } = await create();
      const { status, body } = await app.test.post('/v0/custom-fields/create', textField({ key }));
      expect([status, body.error.code]).toEqual([409, 'key_taken']);
    });
  });
});

describe('GET /v0/custom-fields/list', () => {
  describe('200', () => {
    it('pages through one store, newest first, and counts', async () => {
      const ids = [];
      for (let i = 0; i < 3; i += 1) ids.unshift((await createIn('other')).id);
      const first = await app.other.get('/v0/custom-fields/list', { query: { take: '2' }, keys: 'public' });
      expect(first.body.data.count).toBe(3);
      expect(first.body.data.hasMore).toBe(true);
      const { cursor } = first.body.data;
      const second = await app.other.get('/v0/custom-fields/list', { query: { take: '2', cursor } });
      const seen = [...first.body.data.customFields, ...second.body.data.customFields];
      expect(seen.map(({ id }) => id)).toEqual(ids);
      expect(second.body.data.cursor).toBeNull();
    });

    it('gives one project’s fields, and archived ones only when asked', async () => {
      const projectId = '0192f0c0-0000-7000-8000-0000000000aa';
      const kept = await create({ projectId });
      const gone = await create({ projectId });
      await app.test.patch(`/v0/custom-fields/${gone.id}/archive`);
      const idsOf = async (query: Record<string, string>) => {
        const { body } = await app.test.get('/v0/custom-fields/list', { query: { projectId, ...query } });
        return body.data.customFields.map(({ id }: { id: string }) => id);
      };
      expect(await idsOf({})).toEqual([kept.id]);
      expect(await idsOf({ archived: 'true' })).toEqual([gone.id]);
      expect(await idsOf({ withArchived: 'true' })).toEqual([gone.id, kept.id]);
    });
  });

  async function createIn(store: 'other') {
    const { body } = await app[store].post('/v0/custom-fields/create', textField());
    return body.data.customField;
  }
});

describe('PATCH /v0/custom-fields/:customFieldId/update', () => {
  describe('200', () => {
    it('changes what is said and keeps the rest', async () => {
      const field = await create({ pattern: 'a+' });
      const { body } = await app.test.patch(`/v0/custom-fields/${field.id}/update`, {
        id: field.id,
        label: 'Alias',
        pattern: null,
      });
      expect(body.data.customField).toEqual({ ...field, label: 'Alias', pattern: null, version: 2 });
    });
  });

  describe('400', () => {
    it('checks what is said together with what stays', async () => {
      const field = await create();
      const { status } = await app.test.patch(`/v0/custom-fields/${field.id}/update`, { type: 'dropdown' });
      expect(status).toBe(400);
    });
  });

  describe('404', () => {
    it('knows no field of another workspace', async () => {
      const { id } = await create();
      expect((await app.other.patch(`/v0/custom-fields/${id}/update`, { label: 'x' })).status).toBe(404);
      expect((await app.live.patch(`/v0/custom-fields/${id}/update`, { label: 'x' })).status).toBe(404);
    });
  });

  describe('409', () => {
    it('refuses a key in use', async () => {
      const [one, two] = [await create(), await create()];
      const { status } = await app.test.patch(`/v0/custom-fields/${one.id}/update`, { key: two.key });
      expect(status).toBe(409);
    });
  });
});

describe('PATCH /v0/custom-fields/:customFieldId/archive', () => {
  describe('200', () => {
    it('frees the key and keeps the first moment', async () => {
      const field = await create();
      const first = await app.test.patch(`/v0/custom-fields/${field.id}/archive`);
      const second = await app.test.patch(`/v0/custom-fields/${field.id}/archive`);
      expect(first.body.data.customField.archivedAt).toEqual(expect.any(Number));
      expect(second.body.data).toEqual(first.body.data);
      const again = await app.test.post('/v0/custom-fields/create', textField({ key: field.key }));
      expect(again.status).toBe(200);
    });
  });

  describe('404', () => {
    it('knows no unknown field', async () => {
      expect((await app.test.patch(`/v0/custom-fields/${unknownId}/archive`)).status).toBe(404);
    });
  });
});

it('Y17 keeps a store to 50 active fields, however many come at once', async () => {
  const make = () => app.live.post('/v0/custom-fields/create', textField());
  for (let count = 0; count < 48; count += 1) expect((await make()).status).toBe(200);
  const answers = await Promise.all([make(), make(), make(), make()]);
  const refused = answers.filter(({ status }) => status === 400);
  expect(refused.map(({ body }) => body.error.code)).toEqual(Array(2).fill('custom_field_limit_reached'));
  const [field] = (await app.live.get('/v0/custom-fields/list')).body.data.customFields;
  await app.live.patch(`/v0/custom-fields/${field.id}/archive`);
  expect((await make()).status).toBe(200);
});
