import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHARGE } from './charge.ts';
import { canMove, type Machine, move } from './machine.ts';
import { ORDER } from './order.ts';
import { CAPTURED, PAYMENT } from './payment.ts';
import { canAct, SUBSCRIPTION, type SubscriptionAction, type SubscriptionStatus } from './subscription.ts';
import { DELIVERY, WEBHOOK } from './webhook.ts';

/** The specification's own words, read by the test so that the tables are written down twice. */
const PAYMENT_MOVES = `UNPAID → PENDING, CANCELLED, EXPIRED; PENDING → PAID, FAILED, CANCELLED, EXPIRED;
  FAILED → PENDING, CANCELLED, EXPIRED; PAID → PARTIALLY_REFUNDED, REFUNDED; PARTIALLY_REFUNDED → REFUNDED`;
const SPEC: Array<{ machine: Machine<string>; states: string; moves: string }> = [
  {
    machine: PAYMENT,
    states: 'PENDING PAID FAILED UNPAID CANCELLED REFUNDED PARTIALLY_REFUNDED EXPIRED',
    moves: PAYMENT_MOVES,
  },
  {
    machine: ORDER,
    states: 'PENDING PAID FAILED UNPAID CANCELLED REFUNDED PARTIALLY_REFUNDED EXPIRED',
    moves: `${PAYMENT_MOVES}; PAID → CANCELLED; PARTIALLY_REFUNDED → CANCELLED;
      CANCELLED → REFUNDED, PARTIALLY_REFUNDED`,
  },
  { machine: CHARGE, states: 'pending succeeded failed', moves: 'pending → succeeded, failed' },
  {
    machine: SUBSCRIPTION,
    states: 'active past_due canceled unpaid incomplete incomplete_expired trialing paused',
    moves: `incomplete → active, trialing, incomplete_expired, canceled;
      trialing → active, past_due, paused, canceled; active → past_due, paused, canceled;
      past_due → active, unpaid, canceled, paused; unpaid → active, canceled;
      paused → active, trialing, past_due, canceled`,
  },
  { machine: WEBHOOK, states: 'active inactive', moves: 'active → inactive; inactive → active' },
  {
    machine: DELIVERY,
    states: 'waiting delivered failed dropped',
    moves: 'waiting → delivered, failed, dropped',
  },
];

function parseMoves(text: string): Set<string> {
  const moves = text.split(';').flatMap((rule) => {
    const [from = '', targets = ''] = rule.split('→');
    return targets.split(',').map((to) => `${from.trim()} → ${to.trim()}`);
  });
  return new Set(moves);
}

describe.each(SPEC)('$machine.name', ({ machine, states, moves }) => {
  const all = states.split(' ');
  const allowed = parseMoves(moves);

  it('knows exactly the states of the specification', () => {
    expect(Object.keys(machine.moves).sort()).toEqual(all.toSorted());
    expect(all).toEqual(expect.arrayContaining([...machine.initial]));
  });

  it('allows exactly the moves of the specification', () => {
    for (const from of all) {
      for (const to of all) {
        const expected = allowed.has(`${from} → ${to}`);
        expect(canMove(machine, from, to), `${from} → ${to}`).toBe(expected);
        if (expected) expect(move(machine, from, to)).toBe(to);
        else expect(() => move(machine, from, to)).toThrow(`${machine.name} cannot move`);
      }
    }
  });

  it('reaches every state from an initial one', () => {
    const reached = new Set<string>(machine.initial);
    for (const state of reached) for (const next of machine.moves[state] ?? []) reached.add(next);
    expect([...reached].sort()).toEqual(all.toSorted());
  });
});

it('never lets a payment whose money was taken become one whose money was not', () => {
  const step = fc.integer({ min: 0, max: 7 });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let status = PAYMENT.initial[0] ?? 'PENDING';
      let captured = false;
      for (const pick of steps) {
        const targets = PAYMENT.moves[status];
        status = targets[pick % Math.max(targets.length, 1)] ?? status;
        captured ||= CAPTURED.has(status);
        expect(CAPTURED.has(status)).toBe(captured);
      }
    }),
  );
});

describe('canAct', () => {
  const statuses: SubscriptionStatus[] = [
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'unpaid',
    'paused',
    'canceled',
  ];
  const refused: Array<[SubscriptionAction, SubscriptionStatus[]]> = [
    ['update_items', ['incomplete', 'incomplete_expired', 'past_due', 'unpaid', 'paused', 'canceled']],
    ['set_cancel_flag', ['incomplete', 'incomplete_expired', 'unpaid', 'canceled']],
    ['cancel_now', ['incomplete_expired', 'canceled']],
    ['charge', ['incomplete', 'incomplete_expired', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled']],
    ['pause', ['incomplete', 'incomplete_expired', 'unpaid', 'paused', 'canceled']],
    ['resume', ['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'canceled']],
    ['end_trial', ['incomplete', 'incomplete_expired', 'active', 'past_due', 'unpaid', 'paused', 'canceled']],
  ];

  it.each(refused)('%s is refused in exactly the states of the specification', (action, expected) => {
    expect(statuses.filter((status) => !canAct(action, status))).toEqual(expected);
  });
});
