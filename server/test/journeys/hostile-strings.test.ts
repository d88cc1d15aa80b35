/** Strings made to break stores, templates and shells: they are texts like any other, and come back unchanged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeProduct } from '../support/make-catalogue.ts';

const SEEDS = [
  "' or 1=1 --",
  "'; drop table orders; --",
  "1' union select null, version() --",
  '1; select pg_sleep(10)',
  "$$; copy users to '/tmp/x'; $$",
  "\\'; delete from users where ''='",
  '"; select 1; "',
  '{"$gt": ""}',
  '{{7*7}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template is what it tries to be
  '${process.env.HOME}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  '`id`',
  '$(id)',
  '| cat /etc/passwd',
  '%00',
  '%s%s%s%n',
  '%27%20or%201=1',
  'a\r\nset-cookie: x=1',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  'true',
  '-0',
  '1e400',
  '9007199254740993',
  '\u202Eabc',
  '\u200B\u200Dzero',
  'e\u0301 vs \u00E9',
  '\uFEFFbom',
  '日本語 اللغة 🏴‍☠️ 𝔘𝔫𝔦',
  '%_%',
  '\\',
  'a'.repeat(90),
] as const;
/** Each seed alone, and inside what a filter or a template might do with it: 520 in all. */
const WRAPPINGS: Array<(text: string) => string> = [
  (text) => text,
  (text) => `%${text}`,
  (text) => `'${text}'`,
  (text) => `"${text}"`,
  (text) => `(${text})`,
  (text) => `[${text}]`,
  (text) => `${text};`,
  (text) => `${text}\\`,
  (text) => `${text}/*`,
  (text) => `x ${text}`,
  (text) => `\t${text}\n.`,
  (text) => text.toUpperCase(),
  (text) => `${text}?`,
];
const PAYLOADS = WRAPPINGS.flatMap((wrap) => SEEDS.map(wrap));

/** What a name may hold: lines and tabs are a description's alone, which control-characters.test.ts tries. */
const toName = (text: string) => text.replace(/\p{Cc}/gu, ' ');

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Side by side in groups, since each answer is checked on its own. */
async function forEachPayload(work: (text: string, index: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < PAYLOADS.length; from += 20) {
    const group = PAYLOADS.slice(from, from + 20);
    await Promise.all(group.map((text, index) => work(text, from + index)));
  }
}

describe('a hostile string', () => {
  it('T35 comes back as it was given, in every text of a product', async () => {
    expect(PAYLOADS.length).toBeGreaterThanOrEqual(500);
    await forEachPayload(async (text) => {
      const name = toName(text);
      const texts = { name, description: text, developer: name, publisher: name, genres: [name] };
      const made = await app.test.post('/v0/products/create', { type: 'Game', ...texts, internalId: name });
      expect(made.status).toBe(200);
      const { body } = await app.test.get(`/v0/products/${made.body.data.product.id}`);
      expect(body.data.product).toMatchObject({ ...texts, internalId: name });
    });
  });

  it('comes back as it was given, in the texts of users and discounts', async () => {
    await forEachPayload(async (payload, index) => {
      const text = toName(payload);
      const user = await app.test.post('/v0/users/create', {
        email: `hostile-${index}@example.com`,
        username: text,
        billingDetails: { firstName: text, address: text },
      });
      expect(user.body.data?.user).toMatchObject({
        username: text,
        details: { firstName: text, address: text },
      });
      const discount = { type: 'sale', amount: 10, amountType: 'percentage', name: text };
      const made = await app.test.post('/v0/discounts/create', discount);
      expect(made.body.data?.discount.name).toBe(text);
    });
  });

  it('T35 is refused or finds nothing in every filter and sort, and never breaks a list', async () => {
    await makeProduct(app.other);
    const filters = {
      '/v0/products/list': ['term', 'termOrId', 'ids', 'statuses', 'types', 'orderDirection', 'cursor'],
      '/v0/orders/list': [
        'term',
        'number',
        'customFields',
        'statuses',
        'orderBy',
        'countries',
        'createdFrom',
      ],
      '/v0/payments/list': ['term', 'checkoutIds', 'currencies', 'valueFrom'],
      '/v0/users/list': ['term', 'email', 'page'],
      '/v0/events/list': ['types', 'orderId', 'subscriptionId'],
    };
    await forEachPayload(async (text, index) => {
      for (const [path, names] of Object.entries(filters)) {
        const name = names[index % names.length] ?? 'term';
        const answer = await app.other.get(path, { query: { [name]: text } });
        expect([200, 400], `${path} ${name}=${JSON.stringify(text)}`).toContain(answer.status);
      }
    });
  });

  it('leaves nothing broken that must always hold', () => expectInvariants(app));
});
