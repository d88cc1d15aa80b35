/** Tools that change what is sold, and tell others again. */
import { Type } from 'typebox';
import { Currency, StringEnum } from '../../resources/shapes.ts';
import { ask } from '../caller.ts';
import { inner, integer, link, list, moment, number, object, ROWS_MAX, text } from '../parts.ts';
import { tool } from '../tool.ts';
import { parseMoment } from './parse-moment.ts';
import { order, payment, shortSubscription } from './stories.ts';

const closed = { additionalProperties: false };
const Offers = Type.Array(Type.String({ format: 'uuid' }), {
  minItems: 1,
  maxItems: ROWS_MAX,
  description: 'Ids of offers.',
});
/** Whoever is not sure whether a call arrived sends it again with the same. */
const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'What bears the same is done once, for 24 hours.',
  }),
);
const Moment = (description: string) => Type.String({ minLength: 4, maxLength: 40, description });

const createCheckoutLink = tool({
  name: 'create_checkout_link',
  title: 'Make a checkout link',
  description: 'A link by which anybody buys one or more one-time offers, or one subscription offer.',
  kind: 'write',
  areas: ['elements'],
  input: Type.Object(
    {
      offers: Offers,
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'What the merchant calls it.' }),
      ),
      idempotencyKey,
    },
    closed,
  ),
  output: object({
    id: text('id'),
    name: text('name'),
    url: link('url', 'Where buyers go.'),
    status: text('status'),
  }),
  run: async ({ caller, args: { offers: offersIds, name, idempotencyKey: key } }) => {
    const body = { offersIds, ...(name === undefined ? {} : { name }) };
    const { checkoutElement } = await ask(caller, 'POST /v0/elements/checkout/create', {
      body,
      idempotencyKey: key,
    });
    return { data: checkoutElement };
  },
});

const createDiscount = tool({
  name: 'create_discount',
  title: 'Make a discount code',
  description:
    'A code that buyers enter: a percentage, or an amount of money, off all offers or some, for a while or for good.',
  kind: 'write',
  areas: ['discounts'],
  input: Type.Object(
    {
      code: Type.String({ minLength: 1, maxLength: 100, description: 'What the buyer enters.' }),
      amount: Type.Number({ minimum: 0, description: 'In %, or in minor units of the currency.' }),
      amountType: StringEnum(['percentage', 'fixed'], { description: 'Which of the two.' }),
      currency: Type.Optional(Currency({ description: 'Of a fixed amount; missing: the store’s.' })),
      name: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'What the merchant calls it.' }),
      ),
      validFrom: Type.Optional(Moment('From when on, ISO 8601; missing: now.')),
      validUntil: Type.Optional(Moment('Until when, ISO 8601; missing: for good.')),
      purchaseLimit: Type.Optional(
        Type.Integer({ minimum: 1, description: 'How often it can be used in all.' }),
      ),
      limitPerUser: Type.Optional(
        Type.Integer({ minimum: 1, description: 'How often each buyer can use it.' }),
      ),
      offers: Type.Optional(Offers),
      idempotencyKey,
    },
    closed,
  ),
  output: object({
    id: text('id'),
    code: text('discountCode'),
    name: text('name'),
    state: text('state'),
    amount: number('amount', 'In %, or in minor units of the currency.'),
    amountType: text('amountType'),
    currency: text('currency', 'Of a fixed amount.'),
    validFrom: moment('validFrom', 'From when on it holds.'),
    validUntil: moment('validUntil', 'Until when it holds.'),
    purchaseLimit: integer('purchaseLimit', 'How often it can be used in all.'),
  }),
  run: async ({ caller, args }) => {
    const { code, offers, validFrom, validUntil, idempotencyKey: key, ...rest } = args;
    const body = {
      ...rest,
      type: 'code',
      discountCode: code,
      ...(validFrom === undefined ? {} : { validFrom: parseMoment(validFrom, 'validFrom') }),
      ...(validUntil === undefined ? {} : { validUntil: parseMoment(validUntil, 'validUntil') }),
      ...(offers === undefined
        ? { includesAllOffers: true }
        : { includesAllOffers: false, includedOffers: offers }),
    };
    const { discount } = await ask(caller, 'POST /v0/discounts/create', { body, idempotencyKey: key });
    return { data: discount };
  },
});

const resendEvent = tool({
  name: 'resend_event',
  title: 'Send an event again',
  description: 'Sends an event again to one webhook, or to all that hear it.',
  kind: 'write',
  areas: ['events'],
  input: Type.Object(
    {
      event: Type.String({ format: 'uuid', description: 'Its id.' }),
      webhook: Type.Optional(
        Type.String({ format: 'uuid', description: 'Its id; missing: all that hear it.' }),
      ),
      idempotencyKey,
    },
    closed,
  ),
  output: object({
    event: text('event.id'),
    type: text('event.type'),
    webhooks: integer('webhooks', 'To how many it goes.'),
  }),
  run: async ({ caller, args: { event, webhook, idempotencyKey: key } }) => {
    const body = webhook === undefined ? {} : { webhookId: webhook };
    return { data: await ask(caller, `POST /v0/events/${event}/resend`, { body, idempotencyKey: key }) };
  },
});

const MADE_UP = { email: 'buyer@test.example', country: 'DE' };

const testPurchase = tool({
  name: 'test_purchase',
  title: 'Buy for a test',
  description: 'Buys offers in the test store with a card of the sandbox; a subscription is begun.',
  kind: 'write in test mode',
  areas: ['orders'],
  input: Type.Object(
    {
      offers: Offers,
      email: Type.Optional(
        Type.String({ minLength: 3, maxLength: 254, description: 'Whose purchase; missing: a made-up one.' }),
      ),
      card: Type.Optional(
        Type.String({
          pattern: '^[0-9 ]{12,23}$',
          description: 'Of the sandbox; missing: 4242 4242 4242 4242, which is taken.',
        }),
      ),
      country: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z]{2}$',
          description:
            'Of the buyer: ISO 3166; missing: DE for the made-up one, what is known of a named one.',
        }),
      ),
      quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Of each offer.' })),
      discountCode: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      idempotencyKey,
    },
    closed,
  ),
  output: object({
    order: inner('order', order),
    payment: inner('payment', payment),
    subscription: inner('subscription', shortSubscription),
  }),
  run: async ({ caller, args }) => {
    const { offers: offersIds, email, card, quantity, discountCode } = args;
    // Of a buyer whom nobody knows nothing is known: without a country no purchase has a tax.
    const country = args.country ?? (email === undefined ? MADE_UP.country : undefined);
    const body = {
      offersIds,
      userEmail: email ?? MADE_UP.email,
      ...(card === undefined ? {} : { card: card.replaceAll(' ', '') }),
      ...(country === undefined ? {} : { billingDetails: { countryCode: country.toUpperCase() } }),
      ...(quantity === undefined ? {} : { quantity }),
      ...(discountCode === undefined ? {} : { discountCode }),
    };
    const key = args.idempotencyKey;
    return { data: await ask(caller, 'POST /v0/test-purchases/create', { body, idempotencyKey: key }) };
  },
});

const STEPS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes'] as const;

const advanceClock = tool({
  name: 'advance_clock',
  title: 'Move the test clock',
  description:
    'Moves the clock of the test store forward, by a time or to a moment; all that falls due on the way is done.',
  kind: 'write in test mode',
  areas: ['test-clock'],
  input: Type.Object(
    {
      by: Type.Optional(
        Type.Object(
          Object.fromEntries(
            STEPS.map((one) => [one, Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 }))]),
          ),
          { ...closed, description: 'How far.' },
        ),
      ),
      to: Type.Optional(Moment('To when, ISO 8601.')),
    },
    closed,
  ),
  output: object({
    now: moment('testClock.now', 'What the clock says.'),
    upcoming: list(
      'testClock.upcoming',
      object({ at: moment('at', 'When.'), kind: text('kind'), object: text('object'), id: text('id') }),
      'What falls due next.',
    ),
    done: list(
      'done',
      object({ kind: text('kind'), count: integer('count', 'How many.') }),
      'What was done on the way.',
    ),
  }),
  run: async ({ caller, args: { by, to } }) => {
    const body = {
      ...(by === undefined ? {} : { by }),
      ...(to === undefined ? {} : { to: parseMoment(to, 'to') }),
    };
    const { testClock } = await ask(caller, 'POST /v0/test-clock/advance', { body });
    const { done } = testClock as { done: Record<string, number> | null };
    return {
      data: { testClock, done: Object.entries(done ?? {}).map(([kind, count]) => ({ kind, count })) },
    };
  },
});

export const SELLING = [createCheckoutLink, createDiscount];
export const TRYING = [resendEvent, testPurchase, advanceClock];
