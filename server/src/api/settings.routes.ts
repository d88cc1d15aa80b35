/** Settings of a store: live and test mode each have their own. */
import { toSettings } from '../domain/settings.ts';
import { changeStoreSettings } from '../flows/workspaces/change-settings.ts';
import { type Route, read, write } from '../http/route.ts';
import { SettingsData, toSettingsAnswer, UpdateSettings } from '../resources/settings/settings.schema.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

const get = read({
  method: 'GET',
  path: '/v0/settings',
  operationId: 'getSettings',
  tag: 'settings',
  summary: 'Get the settings of this mode',
  data: SettingsData,
  needsSecret: true,
  handler: async ({ db, scope }) => {
    const store = await getStore(db, scope);
    return { settings: toSettingsAnswer(toSettings(store.settings), store, { withSecret: true }) };
  },
});

/** What decides whose name and tax stand on invoices. */
const SENSITIVE = ['seller', 'registrations', 'taxRateOverrides'];

const update = write({
  method: 'PATCH',
  path: '/v0/settings/update',
  operationId: 'updateSettings',
  needsFreshProof: ({ body }) => SENSITIVE.some((name) => name in (body as object)),
  tag: 'settings',
  summary: 'Change settings of this mode',
  description:
    'Missing fields stay as they are, also within `seller` and `dunning`; lists are replaced whole. A change counts from the next request on.',
  body: UpdateSettings,
  isEdit: true,
  data: SettingsData,
  errors: ['accent_contrast', 'unknown_reference'],
  example: {
    sellerCountry: 'DE',
    pricesIncludeTax: true,
    seller: { name: 'Nebula Games GmbH', city: 'Berlin', taxNumber: 'DE136695976' },
  },
  handler: async ({ ctx, tx, scope, body, audit }) => {
    const { before, after, secretBefore } = await changeStoreSettings(ctx, scope, { tx, input: body });
    const store = await getStore(tx, scope);
    const was = { ...store, settingsVersion: store.settingsVersion - 1, redirectSecret: secretBefore };
    const masked = { withSecret: false };
    audit(toSettingsAnswer(before, was, masked), scope.workspaceId);
    return { settings: toSettingsAnswer(after, store, masked) };
  },
});

export const settingsRoutes: Route[] = [get, update];
