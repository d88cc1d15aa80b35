/** Settings of a store in the API. */
import { type Static, type TSchema, Type } from 'typebox';
import { REDIRECT_PARAMETERS, type Settings as StoreSettings } from '../../domain/settings.ts';
import { Answer, Component, Nullable, StringEnum, Text } from '../shapes.ts';

const Country = (options = {}) => Type.String({ pattern: '^[A-Z]{2}$', ...options });
const optionalText = (max: number, options = {}) => Nullable(Text(max, options));

const seller = {
  name: optionalText(200, { description: 'Null: the name of the workspace.' }),
  address: optionalText(300),
  addressLine2: optionalText(300),
  city: optionalText(100),
  state: optionalText(100),
  postalCode: optionalText(20),
  taxNumber: optionalText(64),
  registrationNumber: optionalText(100, { description: 'The entry in a register of companies.' }),
  email: optionalText(254, { description: 'For questions of buyers.' }),
};

const dunning = {
  retryDays: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), {
    minItems: 1,
    maxItems: 10,
    description: 'Days before each further try of a failed renewal, one after the other.',
  }),
  end: StringEnum(['unpaid', 'canceled'], { description: 'What follows the last failed try.' }),
};

const Registration = {
  country: Country({ description: 'ISO 3166-1 alpha-2, or EU for a one-stop-shop registration.' }),
  region: optionalText(50, { description: 'A US state or Canadian province; null: the whole country.' }),
  number: optionalText(64),
};

/** A body of which every field may be missing. */
function Part<T extends Record<string, TSchema>>(properties: T) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false });
}

/** A prefix stands in numbers, links and file names. */
const Prefix = () => Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9-]{0,10}[A-Za-z0-9])?$' });

/** All but the blocks, whose fields are required in answers and optional in bodies. */
const flat = {
  sellerCountry: Nullable(Country({ description: 'Null: outside the EU.' })),
  taxCollection: StringEnum(['everywhere', 'registered', 'off']),
  pricesIncludeTax: Type.Boolean({ description: 'For offers whose taxBehavior is null.' }),
  taxNumberCheck: StringEnum(['format', 'vies'], {
    description: '`vies` asks online; without an answer a number counts as not valid.',
  }),
  redirectUrl: Nullable(Text(2000, { description: 'Where a buyer is sent after paying.' })),
  redirectParameters: Type.Array(StringEnum(REDIRECT_PARAMETERS), { maxItems: 10 }),
  redirectFixedParameters: Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9_.~-]{1,64}$' }),
    Type.String({ maxLength: 500 }),
    { maxProperties: 20, additionalProperties: false, description: 'Added to redirectUrl as they are.' },
  ),
  authorizedDomains: Type.Array(Text(260), {
    maxItems: 50,
    description: 'Sites that may show the checkout in a frame, such as https://shop.example.',
  }),
  invoicePrefix: Prefix(),
  creditNotePrefix: Prefix(),
  invoiceLogo: Nullable(Text(500, { description: 'The `url` of a picture that was uploaded here.' })),
  invoiceFooter: optionalText(1000),
  graceDays: Type.Integer({
    minimum: 0,
    maximum: 90,
    description: 'How long access stays after a renewal failed.',
  }),
  webhookDisableFailures: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'A webhook that failed as often within webhookDisableHours is disabled.',
  }),
  webhookDisableHours: Type.Integer({ minimum: 1, maximum: 720 }),
  lowStockThreshold: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'The owner is told when an offer has as many keys left or fewer; 0: never.',
  }),
  oneTrial: Type.Boolean({
    description: 'At the checkout a buyer has one trial of a product; the API may give more.',
  }),
};

export const Settings = Answer('Settings', {
  object: StringEnum(['settings']),
  seller: Answer(null, seller),
  ...flat,
  registrations: Type.Array(Answer(null, Registration)),
  dunning: Answer(null, dunning),
  portalSlug: Type.String({
    description: 'Where the portal of the workspace is found; the same in both modes.',
  }),
});

export const UpdateSettings = Part({
  seller: Part(seller),
  ...flat,
  registrations: Type.Array(
    Type.Object(
      {
        country: Registration.country,
        region: Type.Optional(Registration.region),
        number: Type.Optional(Registration.number),
      },
      { additionalProperties: false },
    ),
    { maxItems: 200 },
  ),
  dunning: Part(dunning),
});

export const SettingsData = Answer(null, { settings: Component(Settings) });

export function toSettingsAnswer(settings: StoreSettings, portalSlug: string): Static<typeof Settings> {
  return { object: 'settings', ...settings, portalSlug };
}
