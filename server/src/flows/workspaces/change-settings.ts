/** Changing the settings of a store. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { ERRORS, invalidField, Refusal, unknownReference } from '../../domain/errors.ts';
import {
  changeSettings,
  findNewSettingIssues,
  normaliseSettings,
  type Settings,
  toSettings,
  toStored,
} from '../../domain/settings.ts';
import { isReadableAccent } from '../../domain/settings-blocks.ts';
import { findDiscount } from '../../resources/discounts/discounts.queries.ts';
import { findFile } from '../../resources/files/files.queries.ts';
import { listMissingOffers } from '../../resources/offers/offers.queries.ts';
import { expectDomains } from '../../resources/processors/tending.queries.ts';
import type { UpdateSettings } from '../../resources/settings/settings.schema.ts';
import {
  lockStore,
  updateRedirectSecret,
  updateSettings,
} from '../../resources/workspaces/workspaces.queries.ts';

/** Missing fields stay as they are, also within a block. Throws invalid_input for what cannot be, and unknown_reference. */
export async function changeStoreSettings(
  ctx: Step,
  scope: Scope,
  { tx, input }: { tx: Tx; input: Static<typeof UpdateSettings> },
): Promise<{ before: Settings; after: Settings; secretBefore: string }> {
  const { settings: stored, redirectSecret: secretBefore } = await lockStore(tx, scope);
  const before = toSettings(stored);
  const { registrations, taxRateOverrides, redirectSecret, ...rest } = input;
  const after = normaliseSettings(
    changeSettings(before, {
      ...rest,
      ...(registrations ? { registrations: registrations.map(toRegistration) } : {}),
      ...(taxRateOverrides ? { taxRateOverrides: taxRateOverrides.map(toOverride) } : {}),
    }),
  );
  const issues = findNewSettingIssues(before, after);
  const [first] = issues;
  if (first)
    throw new Refusal('invalid_input', { message: `${first.path} ${first.message}`, details: issues });
  const { accent, logo, icon } = after.branding;
  if (accent !== null && !isReadableAccent(accent)) {
    const details = [{ path: 'branding.accent', message: ERRORS.accent_contrast.message }];
    throw new Refusal('accent_contrast', { details });
  }
  const pictures: Array<[string, string | null, string | null]> = [
    ['invoiceLogo', after.invoiceLogo, before.invoiceLogo],
    ['branding.logo', logo, before.branding.logo],
    ['branding.icon', icon, before.branding.icon],
  ];
  for (const [path, url, was] of pictures) {
    if (url !== null && url !== was) await checkPicture(ctx, scope, { tx, path, url });
  }
  await checkReferences(tx, scope, { before, after });
  await updateSettings(tx, scope, toStored(after));
  if (after.authorizedDomains.join() !== before.authorizedDomains.join()) await expectDomains(tx, scope);
  if (redirectSecret === null) await updateRedirectSecret(tx, scope, newSecret(ctx));
  return { before, after, secretBefore };
}

const SECRET_BYTES = 32;

const newSecret = (ctx: Step): string =>
  `rds_${Buffer.from(ctx.ids.randomBytes(SECRET_BYTES)).toString('hex')}`;

type RegistrationInput = NonNullable<Static<typeof UpdateSettings>['registrations']>[number];

function toRegistration({ country, region, number }: RegistrationInput) {
  return { country, region: region ?? null, number: number ?? null };
}

const OWN_FILE = /\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

type OverrideInput = NonNullable<Static<typeof UpdateSettings>['taxRateOverrides']>[number];

function toOverride({ region, category, validTo, note, ...same }: OverrideInput) {
  return {
    ...same,
    region: region ?? null,
    category: category ?? null,
    validTo: validTo ?? null,
    note: note ?? null,
  };
}

/** What a setting names anew is of this store: another one's would be kept, and never found when a buyer is there. */
async function checkReferences(
  tx: Tx,
  scope: Scope,
  { before, after }: { before: Settings; after: Settings },
): Promise<void> {
  const discounts: Array<[string, string | null, string | null]> = [
    ['portal.stayDiscountId', after.portal.stayDiscountId, before.portal.stayDiscountId],
    ['checkout.reminderDiscountId', after.checkout.reminderDiscountId, before.checkout.reminderDiscountId],
  ];
  for (const [path, id, was] of discounts) {
    if (id !== null && id !== was && !(await findDiscount(tx, scope, id))) throw unknownReference(path, id);
  }
  const known = new Set(before.portal.planChangeOffers);
  const named = after.portal.planChangeOffers.filter((id) => !known.has(id));
  const [missing] = named.length > 0 ? await listMissingOffers(tx, scope, named) : [];
  if (missing !== undefined) throw unknownReference('portal.planChangeOffers', missing);
}

/** Documents and pages show only pictures that lie here: making one asks nobody outside. */
async function checkPicture(
  ctx: Step,
  scope: Scope,
  { tx, path, url }: { tx: Tx; path: string; url: string },
): Promise<void> {
  const id = url.startsWith(`${ctx.config.publicUrl}/files/`) ? OWN_FILE.exec(url)?.[1] : undefined;
  const file = id ? await findFile(tx, scope, id) : undefined;
  if (file?.purpose !== 'picture')
    throw invalidField(path, 'must be the url of a picture that was uploaded here');
}
