/** Processors: the accounts by which a store takes money. */
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { requireWords } from '../domain/require-words.ts';
import { changeCredentials, checkProcessor } from '../flows/processors/change-credentials.ts';
import { type ConnectingAccount, connectAccount } from '../flows/processors/connect-account.ts';
import { changeProcessor, connectProcessor } from '../flows/processors/edit-processor.ts';
import { retireProcessor } from '../flows/processors/forget-processor.ts';
import { inviteCards } from '../flows/processors/invite-cards.ts';
import { rotateWebhook } from '../flows/processors/tend-endpoints.ts';
import { flow, type Route, read, write } from '../http/route.ts';
import type { ProcessorAccounts } from '../providers/payment/account.ts';
import { listTellings } from '../resources/processors/processor-endpoints.queries.ts';
import { listLastReports } from '../resources/processors/processor-reports.queries.ts';
import { findProcessor, listProcessors } from '../resources/processors/processors.queries.ts';
import {
  ArchiveProcessor,
  type Beside,
  ConnectProcessor,
  type Credentials,
  InviteCards,
  InvitedCardsData,
  ProcessorData,
  ProcessorParams,
  ProcessorsData,
  RotateCredentials,
  RotateWebhook,
  toProcessor,
  UpdateProcessor,
} from '../resources/processors/processors.schema.ts';
import { countWaiting } from '../resources/processors/waiting-work.queries.ts';

function toShown({ payments }: Pick<Context, 'payments'>, row: Row<'processors'>, beside?: Beside) {
  return toProcessor(row, payments.kindNamed(row.kind)?.capabilities.types ?? ['card', 'transfer'], beside);
}

async function readBeside(db: Db, scope: Scope, rows: ReadonlyArray<Row<'processors'>>) {
  const ids = rows.map(({ id }) => id);
  const [waiting, reports, tellings] = await Promise.all([
    countWaiting(db, scope),
    listLastReports(db, scope, ids),
    listTellings(db, scope, ids),
  ]);
  return (id: string): Beside => ({
    waiting: waiting.get(id),
    lastReport: reports.get(id),
    telling: tellings.get(id),
  });
}

/** With all that is shown of it. */
async function toWholeData(
  db: Db,
  scope: Scope,
  { ctx, row }: { ctx: Pick<Context, 'payments'>; row: Row<'processors'> },
) {
  const besideOf = await readBeside(db, scope, [row]);
  return { processor: toShown(ctx, row, besideOf(row.id)) };
}

const list = read({
  method: 'GET',
  path: '/v0/processors/list',
  operationId: 'listProcessors',
  tag: 'processors',
  needsSecret: true,
  summary: 'List processors in the order in which they are asked',
  data: ProcessorsData,
  handler: async ({ db, scope, ctx }) => {
    const rows = await listProcessors(db, scope);
    const besideOf = await readBeside(db, scope, rows);
    return { processors: rows.map((row) => toShown(ctx, row, besideOf(row.id))) };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/processors/:processorId',
  operationId: 'getProcessor',
  tag: 'processors',
  needsSecret: true,
  summary: 'Get a processor',
  params: ProcessorParams,
  data: ProcessorData,
  handler: async ({ db, scope, ctx, params }) => {
    const row = await findProcessor(db, scope, params.processorId);
    if (!row) throw new Refusal('not_found');
    return toWholeData(db, scope, { ctx, row });
  },
});

const connect = flow({
  method: 'POST',
  path: '/v0/processors/connect',
  operationId: 'connectProcessor',
  tag: 'processors',
  needsFreshProof: true,
  summary: 'Connect a processor',
  description:
    '`manual` takes money outside: buyers are told where to send it, and it is paid once you say that it has come ' +
    '(`POST /v0/payments/{paymentId}/receive`). `stripe` is connected with a pair of keys, `paypal` with a client id and its secret, which are tried first. ' +
    'In live mode the owners are told by mail.',
  body: ConnectProcessor,
  data: ProcessorData,
  errors: [
    'processor_key_wrong_mode',
    'processor_key_of_a_copy',
    'processor_key_refused',
    'processor_permission_missing',
    'processor_already_connected',
    'processor_unreachable',
    'public_url_not_secure',
    'secrets_key_missing',
  ],
  example: { kind: 'manual', name: 'Bank', iban: 'DE89370400440532013000', holder: 'Muster GmbH' },
  handler: async ({ ctx, scope, body, claim, finish }) => {
    requireWords({ name: body.name });
    const hooks = {
      begin: (tx: Tx, id: string) => claim.begin(tx, id),
      finish: async (tx: Tx, row: Row<'processors'>) =>
        finish(tx, await toWholeData(tx, scope, { ctx, row })),
    };
    // The same request has connected it, and died behind that.
    const known = claim.resumeId === null ? undefined : await findProcessor(ctx.db, scope, claim.resumeId);
    const row = known ?? (await connectKind(ctx, scope, { body, ...hooks }));
    return toWholeData(ctx.db, scope, { ctx, row });
  },
});

const TOLD_TO_MANUAL = ['instructions', 'iban', 'bic', 'holder', 'dueDays'] as const;

interface ConnectingKind extends Pick<ConnectingAccount, 'begin' | 'finish'> {
  body: Static<typeof ConnectProcessor>;
}

/** Each kind is told what is its own, and nothing of another's. */
async function connectKind(ctx: Context, scope: Scope, { body, begin, finish }: ConnectingKind) {
  const { credentials, ...asked } = body;
  refuseForeignMethods(ctx, asked);
  const accounts = ctx.payments.kindNamed(asked.kind)?.accounts ?? null;
  if (accounts) {
    const foreign = TOLD_TO_MANUAL.find((field) => body[field] !== undefined);
    if (foreign) throw invalidField(foreign, `is nothing that ${asked.kind} is told`);
    const given = pickCredentials(accounts, credentials ?? {}, asked.kind);
    return connectAccount(ctx, scope, { accounts, asked: { ...asked, credentials: given }, begin, finish });
  }
  if (credentials) throw invalidField('credentials', `are nothing that ${asked.kind} has`);
  return inTransaction(ctx.db, async (tx) => {
    const row = await connectProcessor(ctx, scope, { tx, asked });
    await begin(tx, row.id);
    await finish(tx, row);
    return row;
  });
}

/** By what its kind does not take nothing could be paid over it. */
function refuseForeignMethods(
  { payments }: Pick<Context, 'payments'>,
  { kind, methods = [] }: { kind: string; methods?: readonly string[] | undefined },
): void {
  const types = payments.kindNamed(kind)?.capabilities.types ?? methods;
  const index = methods.findIndex((method) => !types.includes(method));
  if (index >= 0) throw invalidField(`methods.${index}`, `is nothing that ${kind} takes`);
}

/**
 * As they are: what was copied along around a key is none of it. Throws where one is of another kind's, or where some lack that this
 * is connected with: each is named.
 */
function pickCredentials(
  { credentials: fields }: ProcessorAccounts,
  given: Static<typeof Credentials>,
  kind: string,
): Record<string, string> {
  const foreign = Object.keys(given).find((field) => !fields.includes(field));
  if (foreign) throw invalidField(`credentials.${foreign}`, `is nothing that ${kind} is connected with`);
  const picked = Object.entries(given)
    .map(([field, value]) => [field, value.trim()] as const)
    .filter(([, value]) => value !== '');
  const missing = fields.filter((field) => !picked.some(([name]) => name === field));
  const details = missing.map((field) => ({ path: `credentials.${field}`, message: 'is required' }));
  const [first] = details;
  if (first) throw new Refusal('invalid_input', { message: `${first.path} ${first.message}`, details });
  return Object.fromEntries(picked);
}

const rotateCredentials = flow({
  method: 'POST',
  path: '/v0/processors/:processorId/rotateCredentials',
  operationId: 'rotateProcessorCredentials',
  tag: 'processors',
  needsFreshProof: true,
  summary: "Replace a processor's keys",
  description: 'By others of the same account, which are tried first.',
  params: ProcessorParams,
  body: RotateCredentials,
  data: ProcessorData,
  errors: [
    ...([
      'not_found',
      'processor_state',
      'processor_key_wrong_mode',
      'processor_key_of_a_copy',
      'processor_key_refused',
    ] as const),
    ...(['processor_permission_missing', 'processor_other_account', 'processor_unreachable'] as const),
    'secrets_key_missing',
  ],
  example: { credentials: { secretKey: 'sk_test_new', publishableKey: 'pk_test_new' } },
  handler: async ({ ctx, scope, params: { processorId: id }, body: { credentials }, audit, finish }) => {
    const before = await findProcessor(ctx.db, scope, id);
    if (before) audit({ processor: toShown(ctx, before) }, id);
    const accounts = before && ctx.payments.kindNamed(before.kind)?.accounts;
    const given = accounts ? pickCredentials(accounts, credentials, before.kind) : {};
    const row = await changeCredentials(ctx, scope, {
      ...{ id, credentials: given },
      finish: async (tx, changed) => finish(tx, await toWholeData(tx, scope, { ctx, row: changed })),
    });
    return toWholeData(ctx.db, scope, { ctx, row });
  },
});

const check = flow({
  method: 'POST',
  path: '/v0/processors/:processorId/check',
  operationId: 'checkProcessor',
  tag: 'processors',
  summary: 'Ask a processor whether its keys are good',
  description: 'Notes what it says in `health`.',
  params: ProcessorParams,
  data: ProcessorData,
  errors: ['not_found', 'processor_state', 'processor_unreachable'],
  handler: async ({ ctx, scope, params: { processorId: id }, finish }) => {
    const row = await checkProcessor(ctx, scope, {
      id,
      finish: async (tx, changed) => finish(tx, await toWholeData(tx, scope, { ctx, row: changed })),
    });
    return toWholeData(ctx.db, scope, { ctx, row });
  },
});

const rotateHook = flow({
  method: 'POST',
  path: '/v0/processors/:processorId/rotateWebhook',
  operationId: 'rotateProcessorWebhook',
  tag: 'processors',
  summary: 'Have a processor tell at a new address, signed by a new secret',
  description: 'The one before is heard for 24 hours more, so that nothing is lost.',
  params: ProcessorParams,
  body: RotateWebhook,
  data: ProcessorData,
  errors: ['not_found', 'processor_state', 'processor_unreachable', 'secrets_key_missing'],
  example: {},
  handler: async ({ ctx, scope, params: { processorId: id }, finish }) => {
    const row = await rotateWebhook(ctx, scope, {
      id,
      finish: async (tx, same) => finish(tx, await toWholeData(tx, scope, { ctx, row: same })),
    });
    return toWholeData(ctx.db, scope, { ctx, row });
  },
});

const invite = flow({
  method: 'POST',
  path: '/v0/processors/:processorId/invite-cards',
  operationId: 'inviteProcessorCards',
  tag: 'processors',
  summary: 'Ask the subscribers of a processor for another card',
  description:
    'Mails the page of its card (`/card/…`) for each subscription that is charged over it, once a week at most. What is ' +
    'given there is kept by the processor that takes new payments, and charged from then on.',
  params: ProcessorParams,
  body: InviteCards,
  data: InvitedCardsData,
  errors: ['not_found'],
  example: {},
  handler: async ({ ctx, scope, params: { processorId: id }, finish }) => {
    const sent = await inviteCards(ctx, scope, { id, finish: (tx, count) => finish(tx, { sent: count }) });
    return { sent };
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/processors/:processorId/update',
  operationId: 'updateProcessor',
  tag: 'processors',
  summary: 'Change what a processor is asked for',
  description: 'One that is `paused` takes no new payment; what it has charged is looked after.',
  params: ProcessorParams,
  body: UpdateProcessor,
  data: ProcessorData,
  errors: ['not_found', 'processor_state'],
  example: { priority: 10 },
  handler: async ({ ctx, scope, tx, params: { processorId: id }, body, audit }) => {
    const before = await findProcessor(tx, scope, id);
    if (before) audit({ processor: toShown(ctx, before) }, id);
    const { id: _, ...changes } = body;
    requireWords({ name: changes.name });
    if (before) refuseForeignMethods(ctx, { kind: before.kind, methods: changes.methods });
    const row = await changeProcessor(ctx, scope, { tx, id, changes });
    return toWholeData(tx, scope, { ctx, row });
  },
});

const archive = flow({
  method: 'PATCH',
  path: '/v0/processors/:processorId/archive',
  operationId: 'archiveProcessor',
  tag: 'processors',
  needsFreshProof: true,
  summary: 'Retire a processor',
  description:
    'It takes no new charge. Refunds and disputes of what it has charged go on, and its keys are kept for 180 days.',
  params: ProcessorParams,
  body: ArchiveProcessor,
  data: ProcessorData,
  errors: ['not_found', 'processor_state', 'processor_in_use'],
  example: {},
  handler: async ({ ctx, scope, params: { processorId: id }, body, audit, finish }) => {
    const before = await findProcessor(ctx.db, scope, id);
    if (before) audit({ processor: toShown(ctx, before) }, id);
    const row = await retireProcessor(ctx, scope, {
      id,
      isConfirmed: body.confirm === true,
      isForgotten: body.forget === true,
      finish: async (tx, retired) => finish(tx, await toWholeData(tx, scope, { ctx, row: retired })),
    });
    return toWholeData(ctx.db, scope, { ctx, row });
  },
});

export const processorRoutes: Route[] = [
  ...[list, get, connect, update, archive],
  ...[rotateCredentials, rotateHook, check, invite],
];
