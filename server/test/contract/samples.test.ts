/** The samples of the description: run as they are written, with keys and ids of a store put in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toExample } from '../../../cli/src/example.ts';
import { type Described, listOperations, type Operation } from '../../../cli/src/operations.ts';
import { openTerminal, type Terminal, toEnv, toWords } from '../../../cli/test/terminal.ts';
import { partExamples } from '../../src/http/description/examples.ts';
import { SAMPLE_ID } from '../../src/http/samples.ts';
import { buy, openPage } from '../support/buying.ts';
import { DISPUTED } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { takeOtherNext } from '../support/faulty-processor.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { createImporting, PLAN_LINES, type Shown, toFile } from '../support/importing.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { routesOfPairs } from '../support/routes-of-pairs.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';
import { keepReport, keepTold } from '../support/telling-processor.ts';

let t: TestApp;
let stripe: StripeDouble;
let account: StripeAccount;
beforeAll(async () => {
  stripe = await startStripeDouble();
  t = await createTestApp({
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    STRIPE_API_URL: stripe.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

/** What a sample says, read as a shell reads it. */
interface Command {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

function readCommand(text: string): Command {
  const { publicKey, secretKey } = t.test.keys;
  const words = text
    .replaceAll('\\\n', ' ')
    .match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)
    ?.map((word) =>
      word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_all, plain, expanded, escaped) =>
        plain !== undefined
          ? plain
          : expanded !== undefined
            ? expanded
                .replace('$COUNTERFOIL_PUBLIC_KEY', publicKey)
                .replace('$COUNTERFOIL_SECRET_KEY', secretKey)
            : escaped,
      ),
    );
  const command: Command = { method: 'GET', url: '', headers: {}, body: null };
  expect(words?.shift()).toBe('curl');
  for (let word = words?.shift(); word !== undefined; word = words?.shift()) {
    if (!word.startsWith('-')) command.url = word;
    else {
      const value = words?.shift() ?? '';
      if (word === '-X') command.method = value;
      else if (word === '-d' || word === '--data-binary') command.body = value;
      else if (word === '-H') command.headers[value.split(': ')[0] ?? ''] = value.split(': ')[1] ?? '';
      else throw new Error(`${word} is not an option of the samples`);
    }
  }
  return command;
}

const idOf = async (path: string, body: Record<string, unknown>, name: string) => {
  const answer = await t.test.post(path, body);
  return String(answer.body.data[name].id);
};
const bought = async (name: 'order' | 'payment' | 'subscription', body: Record<string, unknown>) => {
  const answer = await buy(t.test, body);
  return String(answer.body.data[name].id);
};
const first = async (list: string, name: string) => {
  await bought('order', { offersIds: [await makeOffer(t.test)] });
  const answer = await t.test.get(`/v0/${list}/list`);
  return String(answer.body.data[name][0].id);
};

/** A charge that took other money than was asked for. */
async function hold(other: { amountMinor?: bigint; currency?: string }) {
  takeOtherNext(t, other);
  const { body } = await buy(t.test, { offersIds: [await makeOffer(t.test)] });
  return { id: String(body.data.payment.charges[0].id), orderId: String(body.data.order.id) };
}

/** What a consumer states without signing in; it names no order, and waits for the merchant. */
async function stated(path: string, body: Record<string, unknown>, name: string): Promise<string> {
  const { portalSlug } = (await t.test.get('/v0/settings')).body.data.settings;
  const whole = { store: portalSlug, testMode: true, name: 'Ada', email: 'ada@example.com', ...body };
  const answer = await t.test.request('POST', `/v0/portal/${path}`, { keys: 'none', body: whole });
  return String(answer.body.data[name].id);
}

let made = 0;
/** Makes an object that the parameter can name; of two parameters the owner is made first. */
/** What is deleted is named by no delivery any more. */
async function clearNamed(column: 'webhookId' | 'listenerId', exceptId: string | null = null): Promise<void> {
  const clearing = t.service.db.updateTable('webhookDeliveries').set({ [column]: null });
  await (exceptId === null ? clearing : clearing.where(column, '!=', exceptId)).execute();
}

const MAKERS: Readonly<Record<string, (owner: string) => Promise<string>>> = {
  productId: () => makeProduct(t.test),
  planProductId: () => makeProduct(t.test, { type: 'Subscription' }),
  variantId: (productId) => idOf(`/v0/products/${productId}/variants/add`, { name: 'Deluxe' }, 'variant'),
  planId: (productId) => idOf(`/v0/products/${productId}/plans/add`, { name: 'Gold' }, 'plan'),
  offerId: () => makeOffer(t.test),
  planOfferId: () => makePlanOffer(t.test),
  keyId: async (offerId) => {
    await t.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['KEY-1'] });
    return (await t.test.get(`/v0/offers/${offerId}/keys/list`)).body.data.keys[0].id;
  },
  discountId: () => {
    made += 1;
    const discount = { type: 'code', discountCode: `CODE${made}`, amount: 10, amountType: 'percentage' };
    return idOf('/v0/discounts/create', discount, 'discount');
  },
  elementId: async () =>
    idOf('/v0/elements/checkout/create', { offersIds: [await makeOffer(t.test)] }, 'checkoutElement'),
  customFieldId: () => {
    made += 1;
    const field = { key: `field${made}`, label: 'Guild', type: 'text', required: false };
    return idOf('/v0/custom-fields/create', field, 'customField');
  },
  itemId: async (number) => (await t.test.get(`/v0/orders/${number}`)).body.data.items[0].id,
  orderIdOrNumber: async () => bought('order', { offersIds: [await makeOffer(t.test)] }),
  paymentId: async () =>
    bought('payment', { offersIds: [await makeOffer(t.test)], card: '4000002500003155' }),
  chargeId: async () => (await hold({ amountMinor: 1n })).id,
  refundId: async () => {
    const { id, orderId } = await hold({ currency: 'USD' });
    await t.test.post(`/v0/charges/${id}/accept`, { note: 'A sample.' });
    return idOf(`/v0/orders/${orderId}/refunds`, {}, 'refund');
  },
  subscriptionId: async () => bought('subscription', { offersIds: [await makePlanOffer(t.test)] }),
  pausedId: async () => {
    const id = await bought('subscription', { offersIds: [await makePlanOffer(t.test)] });
    await t.test.patch(`/v0/subscriptions/${id}/pauseCollection`);
    return id;
  },
  trialId: async () => {
    const offerId = await makePlanOffer(t.test, { trialInterval: 'week', trialIntervalCount: 1 });
    return bought('subscription', { offersIds: [offerId] });
  },
  checkoutSessionId: async () =>
    idOf('/v0/checkout-sessions/create', { offersIds: [await makeOffer(t.test)] }, 'checkoutSession'),
  processorId: () =>
    idOf(
      '/v0/processors/connect',
      { kind: 'manual', name: 'Bank', instructions: { en: 'Ask us.' } },
      'processor',
    ),
  accountId: async () => {
    account = await stripe.openAccount();
    const { secretKey, publishableKey } = account;
    const credentials = { secretKey, publishableKey };
    return idOf('/v0/processors/connect', { kind: 'stripe', name: 'Cards', credentials }, 'processor');
  },
  /** A payment of what the sample names, which waits for a transfer. */
  awaitedId: async () => {
    const bank = { kind: 'manual', name: 'Bank', instructions: { en: 'Ask us.' } };
    await t.test.post('/v0/processors/connect', bank);
    const offer = { price: 1999, currency: 'EUR', taxBehavior: 'inclusive' };
    const page = await openPage(t, `/checkout/${await makeOffer(t.test, offer)}`);
    const { body } = await page.submit({ card: undefined, payment: { option: 'transfer' } });
    const { order } = body.data.checkout;
    return (await t.test.get(`/v0/orders/${order.id}`)).body.data.payments[0].id;
  },
  portalSessionId: () => idOf('/v0/portal-sessions/create', { email: 'ada@example.com' }, 'portalSession'),
  withdrawalId: () => stated('withdrawals', { orderNumber: 'NONE' }, 'withdrawal'),
  noticeId: () => stated('cancellation-notices', { type: 'ordinary', contractNumber: 'NONE' }, 'notice'),
  webhookId: async () => {
    made += 1;
    const webhook = { url: 'http://127.0.0.1:9/hook', events: ['payment_success'] };
    const { id } = (await t.test.post('/v0/webhooks/create', webhook)).body.data.webhook;
    // Ten are the most that a store has.
    if (made % 5 === 0) {
      await clearNamed('webhookId', id);
      await t.service.db.deleteFrom('webhooks').where('id', '!=', id).execute();
    }
    return id;
  },
  listenerId: async () => {
    // Five are the most that a store has.
    await clearNamed('listenerId');
    await t.service.db.deleteFrom('listeners').execute();
    const listener = { name: 'laptop', events: ['payment_success'] };
    const id = await idOf('/v0/listeners/create', listener, 'listener');
    // Something to hand out, so that nobody waits for it.
    await bought('order', { offersIds: [await makeOffer(t.test)] });
    return id;
  },
  userCode: async () => {
    const url = '/oauth/device_authorization';
    return (await t.app.inject({ method: 'POST', url, payload: { client_id: 'CLI' } })).json().user_code;
  },
  disputeId: async () => {
    const offersIds = [await makeOffer(t.test)];
    const { body } = await buy(t.test, { offersIds, card: DISPUTED });
    await advance(t, t.test.scope, DAY_MS);
    const listed = await t.test.get(`/v0/disputes/list?orderId=${body.data.order.id}`);
    return listed.body.data.disputes[0].id;
  },
  invoiceIdOrNumber: () => first('invoices', 'invoices'),
  noteId: async () => {
    const objectId = await bought('order', { offersIds: [await makeOffer(t.test)] });
    return idOf('/v0/notes/create', { object: 'order', objectId, text: 'A sample.' }, 'note');
  },
  viewId: async () => {
    // Those of the samples before have the names of these.
    await t.service.db.deleteFrom('views').execute();
    return idOf('/v0/views/create', { resource: 'orders', name: 'Unpaid', query: 'status=PENDING' }, 'view');
  },
  exportId: async () => {
    await t.service.db.deleteFrom('exports').execute();
    return idOf('/v0/exports/create', { kind: 'list', resource: 'orders', format: 'csv' }, 'export');
  },
  importId: async () => {
    imported = await createImporting(t).plan(PLAN_LINES);
    return imported.id;
  },
  committedId: async () => (await createImporting(t).bringIn([])).id,
  eventId: () => first('events', 'events'),
  processorEventId: (processorId) => keepTold(t, t.test, processorId),
  reportId: (processorId) => keepReport(t, t.test, processorId),
  mailId: () => first('mails', 'mails'),
  userId: async () => {
    made += 1;
    return idOf('/v0/users/create', { email: `user${made}@example.com` }, 'user');
  },
};

/** What was planned last. */
let imported: Shown;

/** Objects in another state or of another type than most operations ask for. */
const MAKER_OF: Readonly<Record<string, string>> = {
  addPlan: 'planProductId',
  updatePlan: 'planProductId',
  archivePlan: 'planProductId',
  unarchivePlan: 'planProductId',
  resumeSubscription: 'pausedId',
  endTrial: 'trialId',
  receivePayment: 'awaitedId',
  rotateProcessorCredentials: 'accountId',
  rotateProcessorWebhook: 'accountId',
  checkProcessor: 'accountId',
  activateImport: 'committedId',
  reconcileProcessor: 'accountId',
};

async function makeIds(operationId: string, names: readonly string[]): Promise<string[]> {
  // The samples ask buyers something, whom those of other samples do not answer.
  await t.service.db.deleteFrom('customFields').execute();
  const ids: string[] = [];
  for (const [at, name] of names.entries()) {
    const maker = MAKERS[(at === 0 && MAKER_OF[operationId]) || name];
    if (!maker) throw new Error(`nothing makes a ${name}`);
    ids.push(await maker(ids.at(-1) ?? ''));
  }
  return ids;
}

/** The sample's ids are of nobody: an id of the store in the place of each. */
async function fillBody(text: string, { operationId, lastId }: { operationId: string; lastId: string }) {
  const offerId = /ubscription/.test(operationId) ? await makePlanOffer(t.test) : await makeOffer(t.test);
  const productId = operationId === 'createOffer' ? await makeProduct(t.test) : '';
  const objectId = operationId === 'createNote' ? await bought('order', { offersIds: [offerId] }) : '';
  // Nothing can be accepted of what names no order and no subscription.
  const isStated = /^decide/.test(operationId);
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
    if (name === 'accept' && isStated) return false;
    if (name === 'id') return lastId;
    if (name === 'plan' && operationId === 'commitImport') return imported.plan.hash;
    if (name === 'productId') return productId;
    if (name === 'objectId') return objectId;
    if (name === 'offerId') return offerId;
    if (name === 'offersIds') return [offerId];
    // What the reader has to put in for himself: a buyer who is new, his own receiver, a day not long gone.
    // Whom a session is opened for has been here before.
    if (name === 'email' && operationId === 'createPortalSession') return 'ada@example.com';
    if (name === 'email') return `sample${made}@example.com`;
    if (name === 'secretKey') return account.secretKey;
    if (name === 'publishableKey') return account.publishableKey;
    if (name === 'url') return 'http://127.0.0.1:9/hook';
    return name === 'since' ? Date.now() - 86_400_000 : value;
  });
}

/** The ids and numbers that stand in samples. */
const SHOWN = /[0-9a-f]{8}-[0-9a-f-]{27}|7K3M9XQ2V8TD|INV-2026-000001/g;
/** Last of all: nothing is left of the store, or what is left lives in another month. */
const LAST = ['advanceTestClock', 'resetTestClock'];

describe('the sample', () => {
  const samples = () => {
    // Our own document, whose shape is known.
    const { paths } = t.app.swagger() as unknown as {
      paths: Record<string, Record<string, { 'x-codeSamples': Array<{ source: string }> }>>;
    };
    return paths;
  };
  beforeAll(async () => {
    // The buyer of the samples has been here before, with a card.
    await buy(t.test, { offersIds: [await makePlanOffer(t.test)] });
  });

  const rank = ({ operationId }: { operationId: string }) => LAST.indexOf(operationId);
  const inOrder = [...routesOfPairs].sort((a, b) => rank(a) - rank(b));
  it.each(inOrder.map((route) => [route.operationId, route] as const))(
    'of %s is answered with 200',
    async (operationId, route) => {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      const source = samples()[path]?.[route.method.toLowerCase()]?.['x-codeSamples'][0]?.source ?? '';
      const command = readCommand(source);
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      const ids = await makeIds(operationId, names);
      let at = 0;
      const url = new URL(command.url.replace(SHOWN, () => ids[at++] ?? ''));
      expect({ at, origin: url.origin }).toEqual({ at: ids.length, origin: 'http://localhost:3000' });
      const isJson = command.headers['content-type'] === 'application/json';
      const json = isJson && (await fillBody(command.body ?? '', { operationId, lastId: ids.at(-1) ?? '' }));
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      const answer = await t.test.request(command.method, url.pathname, {
        keys: 'none',
        headers: command.headers,
        query: Object.fromEntries(url.searchParams),
        ...(command.body === null
          ? {}
          : { body: json || (operationId === 'createImport' ? Buffer.from(toFile([])) : png) }),
      });
      expect({ source, status: answer.status, text: answer.status === 200 ? '' : answer.text }).toMatchObject(
        { status: 200 },
      );
      expect(route.body ? isJson : true).toBe(true);
    },
  );

  it('keeps quotes and lines as the shell needs them', () => {
    expect(readCommand(`curl -X POST 'http://x/' \\\n  -d '{"a":"It'\\''s $HOME"}'`)).toMatchObject({
      method: 'POST',
      body: `{"a":"It's $HOME"}`,
    });
    expect(SAMPLE_ID).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });
});

describe('X14 the example in the help of', () => {
  let terminal: Terminal;
  let described: Described;
  let operations: Operation[];
  beforeAll(async () => {
    terminal = await openTerminal(t);
    // Our own documents, whose shapes are known.
    described = partExamples(t.app.swagger()) as unknown as Described;
    operations = listOperations(described);
    await buy(t.test, { offersIds: [await makePlanOffer(t.test)] });
  });

  const rank = ({ operationId }: { operationId: string }) => LAST.indexOf(operationId);
  // What is uploaded is no JSON: its command is tried where it is written.
  const commands = [...routesOfPairs].filter(({ intake }) => !intake).sort((a, b) => rank(a) - rank(b));
  it.each(commands.map((route) => [route.operationId, route] as const))(
    '%s is its sample, and runs',
    async (operationId, route) => {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      const operation = operations.find((one) => one.path === path && one.method === route.method);
      if (!operation) throw new Error(`${operationId} is no command`);
      const help = await terminal.run(`${operation.noun} ${operation.verb} --help`);
      expect(help.out.join('\n')).toContain(`  $ ${operation.example}`);
      const shown = described.examples[operationId];
      const source = shown?.samples[0]?.source ?? '';
      const ids = await makeIds(operationId, operation.ids);
      let at = 0;
      const sample = source.replace(SHOWN, (all) => ids[at++] ?? all);
      const written = shown?.request?.value;
      const body =
        written === undefined
          ? undefined
          : JSON.parse(await fillBody(JSON.stringify(written), { operationId, lastId: ids.at(-1) ?? '' }));
      const words = toWords(toExample(operation, { sample, body })).slice(1);
      const env = toEnv(terminal.origin, t.test.keys);
      const args = words.map((word) => `'${word}'`).join(' ');
      const said = await terminal.run(`${args} --json`, { env });
      expect({ args, ...said }).toMatchObject({ exit: 0, err: [] });
    },
  );
});
