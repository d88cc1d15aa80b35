/** Settings of a store in the API. */
import { type Static, type TSchema, Type } from 'typebox';
import { REDIRECT_PARAMETERS, type Settings as StoreSettings } from '../../domain/settings.ts';
import { CANCEL_REASONS } from '../../domain/settings-blocks.ts';
import {
  Answer,
  Component,
  Currency,
  Described,
  Lines,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TextOrNone,
  TimeInput,
  Uuid,
  Version,
} from '../shapes.ts';

const Country = (options = {}) => Type.String({ pattern: '^[A-Z]{2}$', ...options });
const optionalText = (max: number, options = {}) => Nullable(Text(max, options));

const seller = {
  name: optionalText(200, { description: 'Null: the name of the workspace.' }),
  address: optionalText(300),
  addressLine2: optionalText(300),
  city: optionalText(100),
  state: optionalText(100),
  postalCode: optionalText(20),
  taxNumber: optionalText(64, {
    description:
      'As invoices show it. Null: the number of the registration in `sellerCountry`, if there is one.',
  }),
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
  number: optionalText(64, { description: 'As the tax office has given it.' }),
};

/** A body of which every field may be missing. */
function Part<T extends Record<string, TSchema>>(properties: T) {
  return Type.Partial(Type.Object(properties), { additionalProperties: false });
}

/** A prefix stands in numbers, links and file names. */
const Prefix = () => Type.String({ pattern: '^[A-Za-z0-9]([A-Za-z0-9-]{0,10}[A-Za-z0-9])?$' });

const Address = (description: string) => optionalText(2000, { description });
const OwnFile = (description: string) =>
  Nullable(Text(500, { description: `${description}: the \`url\` of a picture that was uploaded here.` }));
const Choice = StringEnum(['off', 'optional', 'required']);

const branding = {
  logo: OwnFile('Logo'),
  icon: OwnFile('Icon'),
  accent: Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Must be readable on white.' })),
  theme: StringEnum(['auto', 'light', 'dark'], { description: 'Light, dark, or as the browser asks.' }),
  termsUrl: Address('Terms of sale.'),
  privacyUrl: Address('Privacy policy.'),
  imprintUrl: Address('Who runs the shop.'),
  websiteUrl: Address('The shop itself.'),
};

const portal = {
  planChange: StringEnum(['product', 'listed', 'off'], {
    description: '`product`: to active offers of the same product; `listed`: to planChangeOffers.',
  }),
  planChangeOffers: Type.Array(Uuid(), {
    maxItems: 100,
    description: 'Ids of the offers that buyers may change to, where planChange is `listed`.',
  }),
  upgradeProration: StringEnum(['always_invoice', 'create_prorations'], {
    description: 'Whether the difference to a dearer plan is paid at once or with the next payment.',
  }),
  downgradeProration: StringEnum(['create_prorations', 'none'], {
    description: 'Whether the rest of a dearer plan is credited with the next payment or not at all.',
  }),
  quantityChange: Type.Boolean(),
  pause: Type.Boolean(),
  pauseMaxDays: Type.Integer({
    minimum: 1,
    maximum: 730,
    description: 'How long a buyer’s pause may last (days).',
  }),
  cancelTiming: StringEnum(['endInterval', 'immediately', 'choice']),
  cancelReasons: Type.Array(StringEnum(CANCEL_REASONS), { maxItems: 10, uniqueItems: true }),
  stayDiscountId: Nullable(Uuid({ description: 'Offered once to whoever is about to cancel.' })),
  emailChange: Type.Boolean(),
  passwordSignIn: Type.Boolean(),
  deletion: StringEnum(['request', 'automatic'], {
    description:
      'Whether a buyer’s wish to be erased waits for the merchant (`request`) or for time alone (`automatic`).',
  }),
  returnUrl: Address('Where the portal leads back to.'),
  headline: optionalText(200),
};

const consumer = {
  withdrawal: StringEnum(['eu', 'everyone', 'off'], { description: 'Who may withdraw.' }),
  consent: StringEnum(['ask', 'require', 'off'], {
    description:
      'Whether buyers are asked to agree that delivery begins at once, must agree, or are not asked.',
  }),
  withdrawalHandling: StringEnum(['automatic', 'manual'], {
    description: 'Whether withdrawals take effect by themselves or wait for the merchant.',
  }),
  deliveredContent: StringEnum(['manual', 'automatic'], {
    description:
      'Whether a withdrawal from what was begun without consent waits for the merchant or takes effect by itself.',
  }),
  cancellationPage: StringEnum(['auto', 'off'], {
    description: '`auto`: buyers can cancel without signing in once a subscription is sold.',
  }),
};

const checkout = {
  defaultLanguage: Nullable(
    Type.String({
      pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
      description: 'Of the checkout where the browser asks for none that is there; null: the browser’s.',
    }),
  ),
  buyerName: Described(Choice, 'Whether buyers are asked for their name.'),
  buyerAddress: Described(Choice, 'Whether buyers are asked for their address.'),
  reminder: StringEnum(['off', 'ask', 'always'], {
    description: 'Who is reminded of an unfinished purchase: nobody, who has asked for it, or everybody.',
  }),
  reminderMinutes: Type.Integer({
    minimum: 5,
    maximum: 10_080,
    description: 'How long after the last visit (minutes).',
  }),
  reminderDiscountId: Nullable(
    Uuid({ description: 'Of the discount that the reminder offers; null: none.' }),
  ),
  receiptDays: Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: 'How long a receipt shows what was bought.',
  }),
};

const Override = {
  country: Country({ description: 'ISO 3166-1 alpha-2.' }),
  region: optionalText(50, {
    description: 'A state, province or territory by its code; null: the whole country.',
  }),
  category: Nullable(
    StringEnum(['digital_good', 'software', 'saas', 'digital_service', 'voucher'], {
      description: 'Of these goods alone; null: of all.',
    }),
  ),
  percentage: Type.Number({ minimum: 0, maximum: 100, description: '19 = 19 %; four decimals count.' }),
  validFrom: TimeInput(),
  validTo: Nullable(TimeInput()),
  note: optionalText(500),
};

/** All but the blocks, whose fields are required in answers and optional in bodies. */
const flat = {
  timezone: Text(64, { description: 'IANA name: in which times are told and days are counted.' }),
  sellerCountry: Nullable(Country({ description: 'Null: outside the EU.' })),
  taxCollection: StringEnum(['everywhere', 'registered', 'off'], {
    description:
      'Where tax is charged: everywhere that it is due, where the seller is registered, or nowhere.',
  }),
  pricesIncludeTax: Type.Boolean({ description: 'For offers whose taxBehavior is null.' }),
  taxNumberCheck: StringEnum(['format', 'vies'], {
    description: '`vies` asks online; without an answer a number counts as not valid.',
  }),
  redirectUrl: Nullable(Text(2000, { description: 'Where a buyer is sent after paying.' })),
  redirectParameters: Type.Array(StringEnum(REDIRECT_PARAMETERS), {
    maxItems: 10,
    description: 'What is added to redirectUrl, signed.',
  }),
  redirectFixedParameters: Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.~-]{1,64}$' }), TextOrNone(500), {
    maxProperties: 20,
    additionalProperties: false,
    description: 'Added to redirectUrl as they are.',
  }),
  authorizedDomains: Type.Array(Text(260), {
    maxItems: 50,
    description: 'Sites that may show the checkout in a frame, such as https://shop.example.',
  }),
  testCheckout: StringEnum(['sandbox', 'processors'], {
    description: 'Who takes what is paid on the pages of the test store; of a live store it says nothing.',
  }),
  delayedForStock: Type.Boolean({
    description:
      'Offers with keys or a `limit`, and codes with a `purchaseLimit`, may be paid by methods that take days: what was ' +
      'ordered is held until the money has come, or has not.',
  }),
  earlyFraudWarning: StringEnum(['notify', 'refund'], {
    description:
      'What follows when a card’s issuer warns that a charge may be a fraud: a mail, or a refund of all that is left, too.',
  }),
  invoicePrefix: Prefix(),
  creditNotePrefix: Prefix(),
  invoiceLogo: Nullable(Text(500, { description: 'The `url` of a picture that was uploaded here.' })),
  invoiceFooter: Nullable(Lines(1000, { minLength: 1 })),
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
  mcpMoneyCallsPerHour: Type.Integer({
    minimum: 0,
    maximum: 1000,
    description: 'How often an hour each key pair may move money by a tool of an assistant; 0: never.',
  }),
};

export const Settings = Answer('Settings', {
  object: StringEnum(['settings']),
  seller: Described(Answer(null, seller), 'Who sells, as documents name it.'),
  ...flat,
  registrations: Type.Array(Answer(null, Registration), {
    description: 'Where the seller is registered for tax.',
  }),
  dunning: Described(Answer(null, dunning), 'What happens when a renewal fails.'),
  branding: Described(Answer(null, branding), 'How the pages of the shop look.'),
  portal: Described(Answer(null, portal), 'What buyers may do in the portal.'),
  consumer: Described(Answer(null, consumer), 'What consumers’ law asks of the shop.'),
  checkout: Described(Answer(null, checkout), 'What the checkout asks, and whom it reminds.'),
  taxRateOverrides: Type.Array(Answer(null, { ...Override, validFrom: Ms(), validTo: Nullable(Ms()) }), {
    description: 'Win over the table from their day on.',
  }),
  redirectSecret: Type.String({
    description:
      'Signs what is added to redirectUrl: `svc-signature` is the HMAC-SHA256 in hex of the raw query before it. Whole ' +
      'where the settings are read, masked to its last 4 where they are changed.',
  }),
  version: Version(),
  portalSlug: Type.String({
    description: 'Where the portal of the workspace is found; the same in both modes.',
  }),
  currency: Nullable(
    Currency({
      description:
        'Of all that is sold, as the workspace was made or its first offer says it; null: of nothing yet. Only told.',
    }),
  ),
});

export const UpdateSettings = Part({
  seller: Described(Part(seller), 'Who sells, as documents name it.'),
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
    { maxItems: 200, description: 'Where the seller is registered for tax.' },
  ),
  dunning: Described(Part(dunning), 'What happens when a renewal fails.'),
  branding: Described(Part(branding), 'How the pages of the shop look.'),
  portal: Described(Part(portal), 'What buyers may do in the portal.'),
  consumer: Described(Part(consumer), 'What consumers’ law asks of the shop.'),
  checkout: Described(Part(checkout), 'What the checkout asks, and whom it reminds.'),
  redirectSecret: Type.Null({ description: 'Null makes a new one; the old one signs nothing more.' }),
  taxRateOverrides: Type.Array(
    Type.Object(
      {
        country: Override.country,
        region: Type.Optional(Override.region),
        category: Type.Optional(Override.category),
        percentage: Override.percentage,
        validFrom: Override.validFrom,
        validTo: Type.Optional(Override.validTo),
        note: Type.Optional(Override.note),
      },
      { additionalProperties: false },
    ),
    { maxItems: 200, description: 'Win over the table from their day on; the list replaces the one before.' },
  ),
});

export const SettingsData = Answer(null, { settings: Component(Settings) });

interface SettingsRow {
  portalSlug: string;
  currency: string | null;
  settingsVersion: number;
  redirectSecret: string;
}

export function toSettingsAnswer(
  settings: StoreSettings,
  { portalSlug, currency, settingsVersion: version, redirectSecret }: SettingsRow,
  { withSecret }: { withSecret: boolean },
): Static<typeof Settings> {
  const shown = withSecret ? redirectSecret : `••••${redirectSecret.slice(-4)}`;
  return { object: 'settings', ...settings, redirectSecret: shown, version, portalSlug, currency };
}
