/** Tools that move money, or end what brings it: a plan first, then the word of whoever uses the assistant. */
import { Type } from 'typebox';
import { StringEnum } from '../../resources/shapes.ts';
import { ask, type Caller, ToolRefusal } from '../caller.ts';
import { at, flag, inner, list, moment, money, object, text, toIso, toMoney } from '../parts.ts';
import { tool } from '../tool.ts';
import { inTwoSteps } from '../two-steps.ts';
import { toOrderId, toSubscriptionId } from './find.ts';
import { line, order, refund, subscription, subscriptionItems, upcoming } from './stories.ts';

const closed = { additionalProperties: false };
const confirmToken = Type.Optional(
  Type.String({
    minLength: 10,
    maxLength: 300,
    description:
      'Of the plan that a first call answered. Show the plan to your user and send it with the same arguments once they ' +
      'have agreed.',
  }),
);
const Id = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

const STEPS = {
  status: text(
    'status',
    'planned: nothing was changed; done; declined: the user said no, nothing was changed.',
  ),
  confirmToken: text(
    'confirmToken',
    'Of a plan: sent back with the same arguments, it is carried out. Once.',
  ),
  expiresAt: moment('expiresAt', 'Until when the plan can be confirmed.'),
};

const sums = (description: string) =>
  object(
    {
      paid: money('paid', 'What was taken.'),
      refunded: money('refunded', 'What was given back.'),
      left: money('left', 'What is left.'),
    },
    description,
  );

const refundOrder = tool({
  name: 'refund_order',
  title: 'Refund an order',
  description:
    'Gives money of an order back, all that is left or an amount. The first call answers a plan and changes nothing; the ' +
    'second, with its confirmToken, carries it out.',
  kind: 'write',
  areas: ['refunds'],
  isDestructive: true,
  input: Type.Object(
    {
      id: Id(
        'Of the order: its id or number, or the e-mail address of the customer, whose newest order it is.',
      ),
      amount: Type.Optional(
        Type.Integer({ minimum: 1, description: 'In minor units; missing: all that is left.' }),
      ),
      reason: Type.Optional(StringEnum(['requested_by_customer', 'duplicate', 'fraudulent', 'other'])),
      note: Type.Optional(
        Type.String({ minLength: 1, maxLength: 500, description: 'For the merchant’s own books.' }),
      ),
      confirmToken,
    },
    closed,
  ),
  output: object({
    ...STEPS,
    plan: inner(
      'plan',
      object({
        orderNumber: text('orderNumber'),
        amount: money('amount', 'What is given back.'),
        tax: money('tax', 'The tax in it.'),
        byHand: flag('byHand', 'Whether somebody must send the money by hand.'),
        before: inner('before', sums('As it is.')),
        after: inner('after', sums('As it will be.')),
      }),
    ),
    refund: inner('refund', refund),
    order: inner('order', order),
  }),
  run: (call) => {
    const { caller, args } = call;
    const { reason, note } = args;
    return inTwoSteps(call, {
      tool: 'refund_order',
      load: () => toRefundPlan(caller, args),
      act: async ({ plan }, idempotencyKey) => {
        const body = {
          amount: plan.amount,
          paymentId: plan.paymentId,
          ...(reason === undefined ? {} : { reason }),
          ...(note === undefined ? {} : { note }),
        };
        const path = `POST /v0/orders/${plan.orderId}/refunds`;
        return ask(caller, path, { body, idempotencyKey, isFirst: true });
      },
    });
  },
});

async function toRefundPlan(caller: Caller, { id, amount }: { id: string; amount?: number | undefined }) {
  const orderId = await toOrderId(caller, id);
  const path = `GET /v0/orders/${encodeURIComponent(orderId)}`;
  const story = await ask(caller, path);
  const found = story.order as Found;
  const { refundPreview } = await ask(caller, `${path}/refunds/preview`, { query: { amount } });
  const preview = refundPreview as {
    paymentId: string;
    amount: number;
    tax: number;
    currency: string;
    byHand: boolean;
  };
  const { currency } = found;
  const toSums = (refunded: number) => ({
    paid: found.value,
    refunded,
    left: found.value - refunded,
    currency,
  });
  const plan = {
    ...preview,
    orderId: found.id,
    orderNumber: found.number,
    before: toSums(found.refundedValue),
    after: toSums(found.refundedValue + preview.amount),
  };
  const question = `Give back ${toMoney(preview.amount, currency)?.text} of order ${found.number}?`;
  const madeOf = { order: pick(found, ['id', 'status', 'value', 'refundedValue']), preview };
  return { plan, madeOf, question };
}

interface Found {
  id: string;
  number: string;
  status: string;
  value: number;
  refundedValue: number;
  currency: string;
}

const changeSubscription = tool({
  name: 'change_subscription',
  title: 'Change a subscription',
  description:
    'Moves a subscription to another offer or quantity. The first call answers a plan with what is charged or given back, ' +
    'and changes nothing; the second, with its confirmToken, carries it out.',
  kind: 'write',
  areas: ['subscriptions'],
  isDestructive: true,
  input: Type.Object(
    {
      id: Id('Its number, or the e-mail address of the customer, whose newest subscription it is.'),
      offer: Type.Optional(
        Type.String({ format: 'uuid', description: 'The id of the new offer; missing: the same.' }),
      ),
      quantity: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10_000, description: 'Missing: the same.' }),
      ),
      proration: Type.Optional(
        StringEnum(['create_prorations', 'always_invoice', 'none'], {
          description:
            'What becomes of the time already paid: settled with the next payment, at once, or not at all.',
        }),
      ),
      confirmToken,
    },
    closed,
  ),
  output: object({
    ...STEPS,
    plan: inner(
      'plan',
      object({
        subscription: text('id'),
        before: object({
          value: money('before.value', 'What an interval costs.', 'before.currency'),
          items: inner('before', subscriptionItems),
        }),
        amountDue: money('amountDue', 'What is charged at once.'),
        amountReturned: money('amountReturned', 'What is given back at once.'),
        lines: list('lines', line, 'What is billed for the change.'),
        nextPayment: inner('nextPayment', upcoming),
      }),
    ),
    subscription: inner('subscription', subscription),
    charged: money('payment.value', 'What was charged at once.', 'payment.currency'),
    paymentStatus: text('payment.status'),
  }),
  run: (call) => {
    const { caller, args } = call;
    return inTwoSteps(call, {
      tool: 'change_subscription',
      load: () => toChangePlan(caller, args),
      act: ({ plan }, idempotencyKey) =>
        ask(caller, `PATCH /v0/subscriptions/${plan.id}/update`, {
          body: plan.change,
          idempotencyKey,
          isFirst: true,
        }),
    });
  },
});

interface Change {
  id: string;
  offer?: string | undefined;
  quantity?: number | undefined;
  proration?: string | undefined;
}

async function toChangePlan(caller: Caller, { id, proration, ...asked }: Change) {
  if (asked.offer === undefined && asked.quantity === undefined)
    throw invalid('offer or quantity says what is changed');
  const before = await readSubscription(caller, id);
  const change = {
    ...toOneLine(before, asked),
    ...(proration === undefined ? {} : { prorationBehavior: proration }),
  };
  const answer = await ask(caller, `POST /v0/subscriptions/${before.id}/preview-update`, { body: change });
  const preview = answer.preview as Preview;
  const { currency } = before;
  const due = toMoney(preview.amountDue, currency)?.text;
  const plan = { ...preview, id: before.id, before, currency, change };
  return {
    plan,
    madeOf: { ...toVersion(before), next: toNextLines(preview) },
    question: `Change subscription ${before.id}, and charge ${due} now?`,
  };
}

/** What is not said stays as it is: of a subscription of one line, since of several nobody knows which is meant. */
function toOneLine({ items }: Running, { offer, quantity }: Pick<Change, 'offer' | 'quantity'>) {
  if (offer !== undefined && quantity !== undefined) return { offerId: offer, quantity };
  const [line, ...others] = items as Array<{ offerId: string | null; quantity: number }>;
  if (!line || others.length > 0)
    throw invalid('offer and quantity are both needed: the subscription has several items');
  const offerId = offer ?? line.offerId;
  if (offerId === null) throw invalid('offer is needed: the item of the subscription is of none');
  return { offerId, quantity: quantity ?? line.quantity };
}

const invalid = (message: string) => new ToolRefusal({ status: 400, code: 'invalid_input', message });

interface Preview {
  amountDue: number;
  amountReturned: number;
  nextPayment: { lines: Array<{ kind: string }> } | null;
}

/** What an interval will cost: another price or tax makes another plan, while credits of time change as time passes. */
function toNextLines({ nextPayment }: Preview) {
  const lines = nextPayment?.lines.filter(({ kind }) => kind === 'interval') ?? [];
  return lines.map((one) => pick(one, ['offerId', 'quantity', 'value', 'discount', 'tax', 'total']));
}

const cancelSubscription = tool({
  name: 'cancel_subscription',
  title: 'Cancel a subscription',
  description:
    'Ends a subscription with its running interval, or at once. Nothing is given back by it: that is a refund of its ' +
    'order. The first call answers a plan and changes nothing; the second, with its confirmToken, carries it out.',
  kind: 'write',
  areas: ['subscriptions'],
  isDestructive: true,
  input: Type.Object(
    {
      id: Id('Its number, or the e-mail address of the customer, whose newest subscription it is.'),
      when: Type.Optional(StringEnum(['interval_end', 'now'], { description: 'interval_end when missing.' })),
      reason: Type.Optional(
        Type.String({ minLength: 1, maxLength: 500, description: 'For the merchant’s own books.' }),
      ),
      confirmToken,
    },
    closed,
  ),
  output: object({
    ...STEPS,
    plan: inner(
      'plan',
      object({
        subscription: text('id'),
        before: inner(
          'before',
          object({
            status: text('status'),
            value: money('value', 'What an interval costs.'),
            nextPaymentAt: moment('nextPaymentAt', 'When it would be charged next.'),
          }),
        ),
        after: inner(
          'after',
          object({
            endsAt: text('endsAt', 'When it ends, ISO 8601; null: at once.'),
            value: money('value', 'What will be charged from then on.'),
          }),
        ),
      }),
    ),
    subscription: inner('subscription', subscription),
  }),
  run: (call) => {
    const { caller, args } = call;
    const { when = 'interval_end', reason } = args;
    return inTwoSteps(call, {
      tool: 'cancel_subscription',
      load: () => toCancelPlan(caller, { id: args.id, when }),
      act: ({ plan }, idempotencyKey) => {
        const body = {
          cancelAtIntervalEnd: when === 'interval_end',
          ...(reason === undefined ? {} : { reason }),
        };
        return ask(caller, `PATCH /v0/subscriptions/${plan.id}/cancel`, {
          body,
          idempotencyKey,
          isFirst: true,
        });
      },
    });
  },
});

async function toCancelPlan(caller: Caller, { id, when }: { id: string; when: string }) {
  const before = await readSubscription(caller, id);
  if (before.endedAt !== null || (when === 'interval_end' && before.cancelAtIntervalEnd))
    throw new ToolRefusal({ status: 409, code: 'subscription_state', message: 'It is cancelled already.' });
  const { currency, currentIntervalEnd, value, status } = before;
  const plan = {
    id: before.id,
    before: { status, value, currency, nextPaymentAt: currentIntervalEnd },
    after: { endsAt: when === 'now' ? null : toIso(currentIntervalEnd), value: 0, currency },
  };
  const end = when === 'now' ? 'at once' : `on ${toIso(currentIntervalEnd)?.slice(0, 10)}`;
  return { plan, madeOf: toVersion(before), question: `End subscription ${before.id} ${end}?` };
}

export const MOVING_MONEY = [refundOrder, changeSubscription, cancelSubscription];

interface Running {
  id: string;
  status: string;
  value: number;
  currency: string;
  currentIntervalEnd: number | null;
  cancelAtIntervalEnd: boolean;
  endedAt: number | null;
  items: object[];
}

async function readSubscription(caller: Caller, id: string): Promise<Running> {
  const path = `GET /v0/subscriptions/${encodeURIComponent(await toSubscriptionId(caller, id))}`;
  const { subscription: found } = await ask(caller, path);
  return found as Running;
}

/** What of a subscription a plan was made of. */
function toVersion(found: Running) {
  const items = found.items.map((one) => [
    at(one, 'offerId'),
    at(one, 'name'),
    at(one, 'value'),
    at(one, 'quantity'),
  ]);
  const names = [
    ...[
      'id',
      'status',
      'value',
      'currentIntervalEnd',
      'cancelAtIntervalEnd',
      'canceledAt',
      'endedAt',
      'pausedAt',
    ],
    ...['resumeAt', 'lastPaymentId', 'scheduledChange', 'discount', 'paymentMethod', 'trialEnd'],
  ];
  return { ...pick(found, names), items };
}

const pick = (source: object, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, at(source, name) ?? null]));
