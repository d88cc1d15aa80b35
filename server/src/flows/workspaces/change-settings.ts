/** Changing the settings of a store. */
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import {
  changeSettings,
  findSettingIssues,
  normaliseSettings,
  type Settings,
  toSettings,
  toStored,
} from '../../domain/settings.ts';
import { findFile } from '../../resources/files/files.queries.ts';
import type { UpdateSettings } from '../../resources/settings/settings.schema.ts';
import { lockStore, updateSettings } from '../../resources/workspaces/workspaces.queries.ts';

/** Missing fields stay as they are, also within a block. Throws invalid_input for what can not be. */
export async function changeStoreSettings(
  ctx: Context,
  scope: Scope,
  { tx, input }: { tx: Tx; input: Static<typeof UpdateSettings> },
): Promise<{ before: Settings; after: Settings }> {
  const { settings: stored } = await lockStore(tx, scope);
  const before = toSettings(stored);
  const { registrations, ...rest } = input;
  const after = normaliseSettings(
    changeSettings(before, {
      ...rest,
      ...(registrations ? { registrations: registrations.map(toRegistration) } : {}),
    }),
  );
  const issues = findSettingIssues(after);
  const [first] = issues;
  if (first)
    throw new Refusal('invalid_input', { message: `${first.path} ${first.message}`, details: issues });
  if (after.invoiceLogo !== null && after.invoiceLogo !== before.invoiceLogo)
    await checkLogo(ctx, scope, { tx, url: after.invoiceLogo });
  await updateSettings(tx, scope, toStored(after));
  return { before, after };
}

type RegistrationInput = NonNullable<Static<typeof UpdateSettings>['registrations']>[number];

function toRegistration({ country, region, number }: RegistrationInput) {
  return { country, region: region ?? null, number: number ?? null };
}

const OWN_FILE = /\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** An invoice shows only pictures that lie here: making one asks nobody outside. */
async function checkLogo(ctx: Context, scope: Scope, { tx, url }: { tx: Tx; url: string }): Promise<void> {
  const id = url.startsWith(`${ctx.config.publicUrl}/files/`) ? OWN_FILE.exec(url)?.[1] : undefined;
  const file = id ? await findFile(tx, scope, id) : undefined;
  if (file?.purpose !== 'picture')
    throw invalidField('invoiceLogo', 'must be the url of a picture that was uploaded here');
}
