/** Subscriptions and their models side by side, and what a step on them is. */
import type fc from 'fast-check';
import { type Books, type Card, check, DELAY_MS, iso } from './books.ts';
import { intervalValue, type SubscriptionModel } from './subscription-model.ts';
import type { World } from './world.ts';

export interface Life {
  number: string;
  userId: string;
  orderId: string;
  model: SubscriptionModel;
}

/** All subscriptions of a store, up to the moment to which it has been moved. */
export interface Lives {
  lives: Life[];
  isTaxed: boolean;
  untilMs: number;
}

export type Command = fc.AsyncCommand<Lives, World>;

export const DAY_MS = 86_400_000;
export const LIVES_MAX = 3;
export const CARDS: Record<Card, string> = {
  visa: '4242424242424242',
  soft: '4000000000009995',
  hard: '4000000000009987',
  once: '4000000000000341',
  unknown: '4000000000000119',
  auth: '4000002500003155',
  disputed: '4000000000000259',
};

export const path = ({ number }: Life, verb: string) => `/v0/subscriptions/${number}/${verb}`;

/** Lays the model beside what the store holds. */
export async function compare(world: World, lives: Lives): Promise<void> {
  for (const { number, orderId, model } of lives.lives) {
    const books = await world.books(number);
    const row = await world.row(number);
    const order = await world.order(orderId);
    try {
      model.replay(books, lives.untilMs);
    } catch (error) {
      throw new Error(`${String(error)}\n${describe(books)}`, { cause: error });
    }
    const seen = {
      status: row.status,
      start: iso(row.currentIntervalStart),
      end: iso(row.currentIntervalEnd),
      isEnding: row.cancelAtIntervalEnd,
      value: Number(row.value),
      payments: books.payments.map(({ type, status, refunded }) => ({ type, status, refunded })),
      order,
    };
    const expected = {
      status: model.status,
      start: iso(model.start),
      end: iso(model.end),
      isEnding: model.isEnding,
      value: intervalValue(model),
      payments: model.payments.map(({ type, status, refunded }) => ({
        type: `subscription_${type}`,
        status,
        refunded,
      })),
      order: {
        status: model.order.status,
        refundedValue: model.order.refundedValue,
        amounts: model.order.amounts,
      },
    };
    check(JSON.stringify(seen) === JSON.stringify(expected), 'the store holds what it should', {
      number,
      seen,
      expected,
    });
    adoptRetry(model, row.retryAt);
  }
}

/** For whoever reads the failure. */
function describe({ payments, charges, disputes }: Books): string {
  return [
    ...payments.map(({ type, status, value, start, end }, place) =>
      [place, type, status, value, iso(start), iso(end)].join(' '),
    ),
    ...charges.map(({ payment, status, amount, createdAt, settledAt }) =>
      ['charge of', payment, status, amount, iso(createdAt), iso(settledAt)].join(' '),
    ),
    ...disputes.map(({ charge, status, amount, openedAt, closedAt }) =>
      ['dispute of charge', charge, status, amount, iso(openedAt), iso(closedAt)].join(' '),
    ),
  ].join('\n');
}

/** A step that was delayed by a fault moves the next day of the run by as much. */
function adoptRetry({ run }: SubscriptionModel, retryAt: number | null): void {
  if (run?.retryAt == null || retryAt === null) return;
  const late = retryAt - run.retryAt;
  check(late >= 0 && late <= DELAY_MS, 'the next retry is due in days', {
    expected: iso(run.retryAt),
    seen: iso(retryAt),
  });
  run.retryAt = retryAt;
}

/** Done to the service and told to the model, which are compared after it. */
export abstract class Step implements Command {
  protected abstract readonly label: string;
  check(lives: Readonly<Lives>): boolean {
    return lives.lives.length > 0;
  }
  async run(lives: Lives, world: World): Promise<void> {
    try {
      await this.take(lives, world);
      await compare(world, lives);
    } catch (error) {
      throw new Error(`${this.toString()} at ${iso(lives.untilMs)}: ${String(error)}`, { cause: error });
    }
  }
  toString(): string {
    return this.label;
  }
  protected abstract take(lives: Lives, world: World): Promise<void>;
}

/** Real time has gone by meanwhile: what has fallen due in it is done, as the model will. */
export async function catchUp(lives: Lives, world: World): Promise<void> {
  lives.untilMs = (await world.now()) + 1;
  await world.advanceTo(lives.untilMs);
}

export function pick({ lives }: Lives, index: number): Life {
  const life = lives[index % lives.length];
  check(life !== undefined, 'there is a subscription');
  return life;
}
