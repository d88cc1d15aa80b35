/** Key pairs of a store: made, narrowed, rolled and revoked by members, and by pairs that were given that by name. */
import { assert } from '../domain/assert.ts';
import { Refusal } from '../domain/errors.ts';
import { requireWords } from '../domain/require-words.ts';
import {
  changeKeyPair,
  createKeyPair,
  type Editing,
  revokeKeyPair,
  rollKeyPairOfStore,
} from '../flows/workspaces/edit-key-pair.ts';
import { type Route, read, type WriteRequest, write } from '../http/route.ts';
import { countKeyPairs, findUsedKeyPair, listUsedKeyPairs } from '../resources/api-keys/api-keys.queries.ts';
import {
  ApiKeyData,
  ApiKeyParams,
  ApiKeysData,
  CreateApiKey,
  ListApiKeys,
  NewApiKeyData,
  RevokeApiKey,
  RollApiKey,
  toApiKey,
  UpdateApiKey,
} from '../resources/api-keys/api-keys.schema.ts';
import { cutPage, toPage } from '../resources/paging.ts';

type Writing = Pick<WriteRequest<unknown, unknown, unknown>, 'ctx' | 'tx' | 'scope' | 'actor'>;

const list = read({
  method: 'GET',
  path: '/v0/api-keys/list',
  operationId: 'listApiKeys',
  tag: 'api-keys',
  summary: 'List key pairs, newest first',
  description: 'A key pair needs the scope `api-keys:read`.',
  query: ListApiKeys,
  data: ApiKeysData,
  needsSecret: true,
  handler: async ({ ctx, db, scope, query }) => {
    const page = toPage(query);
    const nowMs = ctx.realNowMs();
    const { withEnded = false, term } = query;
    const filter = { withEnded, term, nowMs };
    const rows = await listUsedKeyPairs(db, scope, { page, filter });
    const count = await countKeyPairs(db, scope, filter);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { apiKeys: cut.rows.map((row) => toApiKey(row, nowMs)), count, ...cut.page };
  },
});

const create = write({
  method: 'POST',
  path: '/v0/api-keys/create',
  operationId: 'createApiKey',
  tag: 'api-keys',
  summary: 'Create a key pair',
  description:
    'Nobody gives a pair more than they may do themselves; Owner and Admin alone leave `scopes` out. At most 50 pairs a store.',
  body: CreateApiKey,
  data: NewApiKeyData,
  errors: ['api_key_limit_reached'],
  answersSecret: true,
  needsFreshProof: true,
  example: { name: 'Shop', scopes: ['orders:read', 'products:read'] },
  handler: async (request) => {
    const { ctx, scope, body } = request;
    requireWords({ name: body.name });
    const made = await createKeyPair(ctx, scope, { ...toEditing(request), input: body });
    return answerNew(request, made);
  },
});

const roll = write({
  method: 'POST',
  path: '/v0/api-keys/:apiKeyId/roll',
  operationId: 'rollApiKey',
  tag: 'api-keys',
  summary: 'Let a new pair take over from an old one',
  description: 'The new pair is narrowed as the old one, which keeps working for `graceHours`.',
  params: ApiKeyParams,
  body: RollApiKey,
  data: NewApiKeyData,
  errors: ['key_expired'],
  answersSecret: true,
  needsFreshProof: true,
  example: { graceHours: 24 },
  handler: async (request) => {
    const { ctx, scope, params, body } = request;
    const { graceHours } = body;
    const rolling = {
      ...toEditing(request),
      id: params.apiKeyId,
      ...(graceHours === undefined ? {} : { graceHours }),
    };
    const made = await rollKeyPairOfStore(ctx, scope, rolling);
    return answerNew(request, made);
  },
});

const update = write({
  method: 'PATCH',
  path: '/v0/api-keys/:apiKeyId/update',
  operationId: 'updateApiKey',
  tag: 'api-keys',
  summary: 'Change a key pair',
  description: 'Missing fields stay as they are. It holds within 5 seconds.',
  params: ApiKeyParams,
  body: UpdateApiKey,
  data: ApiKeyData,
  errors: ['key_expired'],
  example: { ipAllowList: ['203.0.113.0/24'] },
  handler: async (request) => {
    const { scope, params, body, audit } = request;
    const { id: _repeated, ...input } = body;
    requireWords({ name: input.name });
    const before = await getApiKey(request, params.apiKeyId);
    await changeKeyPair(scope, { ...toEditing(request), id: params.apiKeyId, input });
    audit(before);
    return { apiKey: await getApiKey(request, params.apiKeyId) };
  },
});

const revoke = write({
  method: 'PATCH',
  path: '/v0/api-keys/:apiKeyId/revoke',
  operationId: 'revokeApiKey',
  tag: 'api-keys',
  summary: 'Revoke a key pair',
  description: 'It stops working within 5 seconds, for good.',
  params: ApiKeyParams,
  body: RevokeApiKey,
  data: ApiKeyData,
  needsFreshProof: true,
  handler: async (request) => {
    const { ctx, tx, scope, params, audit } = request;
    const before = await getApiKey(request, params.apiKeyId);
    await revokeKeyPair(scope, { tx, id: params.apiKeyId, nowMs: ctx.realNowMs() });
    audit(before);
    return { apiKey: await getApiKey(request, params.apiKeyId) };
  },
});

function toEditing({ ctx, tx, actor }: Writing): Editing {
  const { member, scopes, name } = actor;
  const maker = member ? { role: member.role, permissions: member.permissions } : { role: null, scopes };
  return { tx, maker, name, nowMs: ctx.realNowMs() };
}

async function getApiKey({ ctx, tx, scope }: Omit<Writing, 'actor'>, id: string) {
  const row = await findUsedKeyPair(tx, scope, id);
  if (!row) throw new Refusal('not_found');
  return toApiKey(row, ctx.realNowMs());
}

async function answerNew(
  { ctx, tx, scope }: Omit<Writing, 'actor'>,
  { keyId, publicKey, secretKey }: { keyId: string; publicKey: string; secretKey: string },
) {
  const row = await findUsedKeyPair(tx, scope, keyId);
  assert(row, 'what was made is there');
  return { apiKey: toApiKey(row, ctx.realNowMs()), publicKey, secretKey };
}

export const apiKeyRoutes: Route[] = [list, create, roll, update, revoke];
