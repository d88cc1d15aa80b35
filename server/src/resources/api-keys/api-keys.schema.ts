/** Key pairs in the API. The secret key is answered once, by what makes it. */
import { type Static, Type } from 'typebox';
import { NETWORKS_MAX } from '../../domain/ip-allow-list.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text, TimeInput, Uuid } from '../shapes.ts';
import type { UsedKeyPair } from './api-keys.queries.ts';

export const GRACE_HOURS_MAX = 72;
const SCOPES_MAX = 200;

const Amounts = StringEnum(['minor', 'major'], {
  description: 'What unit prices of its requests are written in; answers are always minor units.',
});

export const ApiKey = Answer('ApiKey', {
  object: StringEnum(['api_key']),
  id: Uuid(),
  name: Type.String(),
  mode: StringEnum(['live', 'test'], { description: 'Of which store of the workspace.' }),
  publicKey: Type.String(),
  secretLast4: Nullable(
    Type.String({ description: 'null of a pair that is older than this field: only a hash is kept.' }),
  ),
  state: StringEnum(['active', 'rolled', 'expired', 'revoked'], {
    description: 'A rolled pair works until `expiresAt`.',
  }),
  scopes: Nullable(
    Type.Array(Type.String(), {
      description: '`<area>:read` or `:write`; null = all but what needs naming.',
    }),
  ),
  ipAllowList: Nullable(Type.Array(Type.String(), { description: 'Networks; null = from anywhere.' })),
  readRequiresSecret: Type.Boolean({ description: 'Whether the public key alone reads nothing.' }),
  amounts: Amounts,
  expiresAt: Nullable(Ms()),
  revokedAt: Nullable(Ms()),
  lastUsedAt: Nullable(Ms({ description: 'Noted within a minute.' })),
  lastUsedAddress: Nullable(Type.String()),
  createdBy: Nullable(Type.String({ description: '`account:<id>` or `key:<id>`.' })),
  createdAt: Ms(),
});

const fields = {
  name: Text(100),
  scopes: Type.Optional(
    Nullable(Type.Array(Text(60), { maxItems: SCOPES_MAX, description: 'Such as `orders:read`.' })),
  ),
  ipAllowList: Type.Optional(
    Nullable(
      Type.Array(Text(60), {
        maxItems: NETWORKS_MAX,
        description: 'Networks such as 203.0.113.0/24, or single addresses.',
      }),
    ),
  ),
  readRequiresSecret: Type.Optional(
    Type.Boolean({
      description:
        'By default true in live mode. Whoever has the public key of an open pair reads orders and buyers.',
    }),
  ),
  amounts: Type.Optional(Amounts),
  expiresAt: Type.Optional(Nullable(TimeInput({ description: 'When it stops working; in the future.' }))),
};

export const CreateApiKey = Body(fields);
export const UpdateApiKey = Body({ ...fields, id: Type.Optional(Uuid()), name: Type.Optional(fields.name) });
export const RollApiKey = Body({
  id: Type.Optional(Uuid()),
  graceHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: GRACE_HOURS_MAX,
      description: 'How long the old pair keeps working; 24 when missing.',
    }),
  ),
});
export const RevokeApiKey = Body({ id: Type.Optional(Uuid()) });
export const ApiKeyParams = Type.Object({ apiKeyId: Uuid() });
export const ListApiKeys = Type.Object({
  ...pageQuery,
  withEnded: Type.Optional(Type.Boolean({ description: 'With pairs that are revoked or over.' })),
  term: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of its name, or the last of its public key.' }),
  ),
});

export const ApiKeyData = Answer(null, { apiKey: Component(ApiKey) });
export const ApiKeysData = Answer(null, { apiKeys: Type.Array(Component(ApiKey)), ...pageAnswer });
export const NewApiKeyData = Answer(null, {
  apiKey: Component(ApiKey),
  publicKey: Type.String(),
  secretKey: Type.String({ description: 'Shown only now.' }),
});

/** `nowMs` is real time. */
export function toApiKey(row: UsedKeyPair, nowMs: number): Static<typeof ApiKey> {
  return {
    object: 'api_key',
    id: row.id,
    name: row.name,
    mode: row.testMode ? 'test' : 'live',
    publicKey: row.publicKey,
    secretLast4: row.secretLast4,
    state: toState(row, nowMs),
    scopes: row.scopes,
    ipAllowList: row.ipAllowList,
    readRequiresSecret: row.readRequiresSecret,
    amounts: row.amounts,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lastUsedAt: row.lastUsedAt,
    lastUsedAddress: row.lastUsedAddress,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
}

function toState({ revokedAt, expiresAt, rolledAt }: UsedKeyPair, nowMs: number) {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= nowMs) return 'expired';
  return rolledAt === null ? 'active' : 'rolled';
}
