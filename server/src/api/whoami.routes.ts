/** Who asks: what a client tries its keys with, and shows before it does anything. */
import { Type } from 'typebox';
import { toSettings } from '../domain/settings.ts';
import { PRODUCT_VERSION } from '../domain/version.ts';
import { type Route, read } from '../http/route.ts';
import { findUsedKeyPair } from '../resources/api-keys/api-keys.queries.ts';
import { ApiKey } from '../resources/api-keys/api-keys.schema.ts';
import { Answer, Described, Nullable, StringEnum, Uuid } from '../resources/shapes.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

const { publicKey, name, scopes, readRequiresSecret, expiresAt } = ApiKey.properties;

const WhoAmI = Answer(null, {
  workspace: Described(
    Answer(null, {
      id: Uuid(),
      name: Type.String(),
      state: StringEnum(['active', 'suspended', 'archived']),
    }),
    'Whose keys these are.',
  ),
  mode: StringEnum(['live', 'test'], { description: 'Of the store that is asked in.' }),
  key: Described(
    Nullable(Answer(null, { publicKey, name, scopes, readRequiresSecret, expiresAt })),
    'The pair that asks; null of a session.',
  ),
  timezone: Type.String({ description: 'In which the store tells times: its setting.' }),
  version: Type.String({ description: 'Of the product, such as 1.4.0.' }),
});

const whoami = read({
  method: 'GET',
  path: '/v0/whoami',
  operationId: 'whoami',
  tag: 'whoami',
  summary: 'Tell whose keys these are',
  data: WhoAmI,
  handler: async ({ db, scope, actor }) => {
    const { name, state, settings } = await getStore(db, scope);
    const pair = actor.pair && (await findUsedKeyPair(db, scope, actor.pair.keyId));
    return {
      workspace: { id: scope.workspaceId, name, state },
      mode: scope.testMode ? ('test' as const) : ('live' as const),
      key: pair
        ? {
            publicKey: pair.publicKey,
            name: pair.name,
            scopes: pair.scopes,
            readRequiresSecret: pair.readRequiresSecret,
            expiresAt: pair.expiresAt,
          }
        : null,
      timezone: toSettings(settings).timezone,
      version: PRODUCT_VERSION,
    };
  },
});

export const whoamiRoutes: Route[] = [whoami];
