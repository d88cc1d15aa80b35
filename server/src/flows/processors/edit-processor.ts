/** Connections of a store: made, routed, paused and retired by the merchant. In live the owners hear of each at once. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import {
  type AskedDetails,
  type ManualDetails,
  toManualDetails,
} from '../../domain/processors/manual-details.ts';
import {
  countRenewing,
  findProcessor,
  insertProcessor,
  lockProcessor,
  lockRetiredTransfer,
  updateProcessor,
} from '../../resources/processors/processors.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { resumeWaiting } from './change-health.ts';

export interface Routing {
  currencies?: string[] | undefined;
  countries?: string[] | undefined;
  methods?: string[] | undefined;
  priority?: number | undefined;
}

export interface NewConnection extends Routing, AskedDetails {
  kind: string;
  name: string;
}

type Processor = Row<'processors'>;

/** An account that is connected again is the same connection, with what waits for it. Throws invalid_input. */
export async function connectProcessor(
  ctx: Step,
  scope: Scope,
  { tx, asked }: { tx: Tx; asked: NewConnection },
): Promise<Processor> {
  const { kind, name, currencies, countries, methods, priority, ...details } = asked;
  const told = toManualDetails(null, details);
  const given = {
    ...toRouting({ currencies, countries, methods, priority }),
    name,
    details: toJson(told),
    healthSince: ctx.realNowMs(),
  };
  const before = await lockRetiredTransfer(tx, scope, told.iban);
  const id = before?.id ?? ctx.ids.next(ctx.nowMs);
  if (before) await updateProcessor(tx, scope, { ...given, id, status: 'active', retiredAt: null });
  else await insertProcessor(tx, scope, { ...given, id, kind, createdAt: ctx.nowMs });
  const after = await tellOfProcessor(ctx, scope, { tx, id });
  if (before) await resumeWaiting(ctx, scope, { tx, before, after });
  return after;
}

export interface ProcessorChanges extends Routing, AskedDetails {
  name?: string | undefined;
  status?: 'active' | 'paused' | undefined;
}

/** Throws not_found, and processor_state for the sandbox and one that is retired. */
export async function changeProcessor(
  ctx: Step,
  scope: Scope,
  { tx, id, changes }: { tx: Tx; id: string; changes: ProcessorChanges },
): Promise<Processor> {
  const before = await lockOpen(tx, scope, id);
  const { name, status, currencies, countries, methods, priority, ...asked } = changes;
  const changed = {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...toRouting({ currencies, countries, methods, priority }),
    ...toDetails(before, asked),
  };
  // Nothing was said, and so nobody is told.
  if (Object.keys(changed).length === 0) return before;
  await updateProcessor(tx, scope, { id, ...changed });
  const after = await tellOfProcessor(ctx, scope, { tx, id });
  await resumeWaiting(ctx, scope, { tx, before, after });
  return after;
}

/** What transfers are told is said of no other kind. */
function toDetails({ kind, details }: Processor, asked: AskedDetails) {
  const [field] = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  // Rows hold only what the kind has let in.
  if (kind === 'manual') return { details: toJson(toManualDetails(details as ManualDetails, asked)) };
  if (field !== undefined) throw invalidField(field, `is nothing that ${kind} is told`);
  return {};
}

/** No new charge from then on. Throws not_found, processor_state, and processor_in_use unless it is confirmed. */
export async function archiveProcessor(
  ctx: Step,
  scope: Scope,
  { tx, id, isConfirmed }: { tx: Tx; id: string; isConfirmed: boolean },
): Promise<Processor> {
  await lockOpen(tx, scope, id);
  const renewing = await countRenewing(tx, scope, id);
  if (renewing > 0 && !isConfirmed) {
    throw new Refusal('processor_in_use', {
      message: `${renewing === 1 ? '1 subscription renews' : `${renewing} subscriptions renew`} over this processor.`,
    });
  }
  await updateProcessor(tx, scope, { id, status: 'retired', retiredAt: ctx.nowMs });
  return tellOfProcessor(ctx, scope, { tx, id });
}

async function lockOpen(tx: Tx, scope: Scope, id: string): Promise<Processor> {
  const row = await lockProcessor(tx, scope, id);
  if (!row) throw new Refusal('not_found');
  if (row.kind === 'sandbox') {
    throw new Refusal('processor_state', { message: 'The sandbox is there by itself and stays as it is.' });
  }
  if (row.status === 'retired')
    throw new Refusal('processor_state', { message: 'The processor is retired.' });
  return row;
}

/** What is not said stays. */
export function toRouting(asked: Routing): Routing {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

/** In live the owners hear of it. */
export async function tellOfProcessor(
  ctx: Step,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<Processor> {
  const row = await findProcessor(tx, scope, id);
  assert(row, 'a connection is never deleted');
  if (scope.testMode) return row;
  const params = { name: row.name, kind: row.kind };
  const key = `processor_changed:${ctx.ids.next(ctx.nowMs)}`;
  await queueOwnerMails(tx, scope, [{ kind: 'processor_changed', params, key, at: ctx.nowMs }]);
  return row;
}
