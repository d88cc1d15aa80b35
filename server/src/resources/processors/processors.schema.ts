/** Connections in the API, where they are called processors. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { COUNTRIES } from '../../domain/countries.ts';
import { LANGUAGES } from '../../domain/languages.ts';
import type { ManualDetails } from '../../domain/processors/manual-details.ts';
import { METHOD_TYPES } from '../../domain/processors/method-types.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  CurrencyInput,
  Described,
  Lines,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TextOrNone,
  Uuid,
} from '../shapes.ts';
import type { Telling } from './processor-endpoints.queries.ts';
import { ProcessorReport, toProcessorReport } from './processor-reports.schema.ts';
import type { Waiting } from './waiting-work.queries.ts';

/** That a merchant can connect; the sandbox is there by itself. */
const CONNECTED = ['manual', 'paypal', 'stripe'] as const;
const KINDS = ['sandbox', ...CONNECTED] as const;
const DAYS_MAX = 90;

const NAMES_OF_LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

const Instructions = () =>
  Type.Unsafe<Record<string, string>>(
    Type.Object(
      Object.fromEntries(
        LANGUAGES.map((language) => [
          language,
          Type.Optional(Lines(2000, { description: `In ${NAMES_OF_LANGUAGES.of(language)}.` })),
        ]),
      ),
      {
        additionalProperties: false,
        description: 'What the buyer reads beside the account, by language.',
      },
    ),
  );

const WalletDomain = Answer(null, {
  host: Type.String({ description: 'A host that is reached by https.' }),
  state: StringEnum(['active', 'inactive', 'refused', 'pending'], {
    description:
      '`inactive`: the processor shows not all of its wallets there; `refused`: it takes no such host; `pending`: it has not answered yet.',
  }),
});
export type WalletDomain = Static<typeof WalletDomain>;

export const Processor = Answer('Processor', {
  object: StringEnum(['processor']),
  id: Uuid(),
  kind: StringEnum(KINDS),
  name: Type.String(),
  status: StringEnum(['active', 'paused', 'retired'], {
    description: '`retired`: no new charge; refunds and disputes of its charges go on.',
  }),
  health: Described(
    Answer(null, {
      state: StringEnum(['ok', 'degraded', 'broken', 'silent']),
      since: Ms({ description: 'In real time.' }),
      reason: Nullable(Type.String()),
      waiting: Described(
        Answer(null, {
          charges: Type.Integer({
            description: 'Charges and renewals that go on once it is well, or active again.',
          }),
          refunds: Type.Integer({ description: 'Refunds that go on once it is well.' }),
        }),
        'What waits for it.',
      ),
      domains: Type.Array(WalletDomain, {
        description:
          'Hosts of this service and of the setting `authorizedDomains` whose pages are to show wallets.',
      }),
    }),
    'Whether it works.',
  ),
  priority: Type.Integer({ description: 'The lowest that fits is asked first.' }),
  currencies: Type.Array(Currency(), { description: 'None = all.' }),
  countries: Type.Array(Type.String(), { description: 'Of buyers. None = all.' }),
  methods: Type.Array(
    Answer(null, {
      type: StringEnum(METHOD_TYPES),
      status: StringEnum(['active', 'off']),
      reason: Nullable(Type.String()),
    }),
    { description: 'What buyers can pay by.' },
  ),
  accountId: Nullable(Type.String()),
  accountCountry: Nullable(
    Type.String({ description: 'ISO 3166, two letters; null where it does not tell.' }),
  ),
  accountCurrency: Nullable(
    Type.String({
      description: 'The currency that the account is settled in (ISO 4217); null where it does not tell.',
    }),
  ),
  keyLast4: Nullable(
    Type.String({ description: 'The last 4 characters of its secret key; null without one.' }),
  ),
  instructions: Nullable(Instructions()),
  iban: Nullable(Type.String()),
  bic: Nullable(Type.String()),
  holder: Nullable(Type.String()),
  dueDays: Nullable(
    Type.Integer({ description: 'How many days a buyer has to transfer; null of other kinds.' }),
  ),
  webhook: Described(
    Answer(null, {
      state: StringEnum(['active', 'polling', 'none'], {
        description:
          '`polling`: it can tell this address nothing, and is asked. `none`: it never tells anything.',
      }),
      lastEventAt: Nullable(Ms({ description: 'When it last told something, in real time.' })),
    }),
    'How it tells what happened.',
  ),
  lastReport: Described(
    Nullable(Component(ProcessorReport)),
    'The last comparison of its books with ours; null before the first.',
  ),
  createdAt: Ms(),
  retiredAt: Nullable(Ms()),
});

const ROUTING = {
  currencies: Type.Array(CurrencyInput(), { maxItems: 200 }),
  countries: Type.Array(StringEnum(COUNTRIES, { 'x-upper-case': true }), { maxItems: 300 }),
  methods: Type.Array(StringEnum(METHOD_TYPES), {
    maxItems: 10,
    description: 'None = all that its kind takes.',
  }),
  priority: Type.Integer({ minimum: 0, maximum: 1000, description: 'The lowest that fits is asked first.' }),
};
const ACCOUNT = {
  instructions: Instructions(),
  iban: Nullable(TextOrNone(50)),
  bic: Nullable(TextOrNone(11)),
  holder: Nullable(TextOrNone(70)),
  dueDays: Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: '14 unless said.' }),
};

export const Credentials = Type.Object(
  {
    secretKey: Type.Optional(Text(300, { description: 'Of Stripe: the secret key.' })),
    publishableKey: Type.Optional(Text(300, { description: 'Of Stripe: the key that pages may hold.' })),
    clientId: Type.Optional(Text(300, { description: 'Of PayPal: the app’s id.' })),
    clientSecret: Type.Optional(Text(300, { description: 'Of PayPal: the app’s secret.' })),
  },
  {
    additionalProperties: false,
    writeOnly: true,
    description:
      'Of `stripe`: `secretKey` and `publishableKey`, a pair of the mode. Of `paypal`: `clientId` and `clientSecret`. ' +
      'Kept sealed, and told by no answer.',
  },
);

export const ConnectProcessor = Body({
  kind: StringEnum(CONNECTED),
  name: Text(100),
  credentials: Type.Optional(Credentials),
  currencies: Type.Optional(ROUTING.currencies),
  countries: Type.Optional(ROUTING.countries),
  methods: Type.Optional(ROUTING.methods),
  priority: Type.Optional(ROUTING.priority),
  instructions: Type.Optional(ACCOUNT.instructions),
  iban: Type.Optional(ACCOUNT.iban),
  bic: Type.Optional(ACCOUNT.bic),
  holder: Type.Optional(ACCOUNT.holder),
  dueDays: Type.Optional(ACCOUNT.dueDays),
});

export const UpdateProcessor = Body({
  id: Type.Optional(Uuid()),
  name: Type.Optional(Text(100)),
  status: Type.Optional(StringEnum(['active', 'paused'])),
  currencies: Type.Optional(ROUTING.currencies),
  countries: Type.Optional(ROUTING.countries),
  methods: Type.Optional(ROUTING.methods),
  priority: Type.Optional(ROUTING.priority),
  instructions: Type.Optional(ACCOUNT.instructions),
  iban: Type.Optional(ACCOUNT.iban),
  bic: Type.Optional(ACCOUNT.bic),
  holder: Type.Optional(ACCOUNT.holder),
  dueDays: Type.Optional(ACCOUNT.dueDays),
});

export const ArchiveProcessor = Body({
  id: Type.Optional(Uuid()),
  forget: Type.Optional(
    Type.Boolean({
      description:
        'Its keys and its endpoint are given up at once, and not 180 days later. Also of one that is retired already.',
    }),
  ),
  confirm: Type.Optional(
    Type.Boolean({ description: 'Although subscriptions renew over it, which nobody charges from then on.' }),
  ),
});

export const RotateWebhook = Body({ id: Type.Optional(Uuid()) });
export const InviteCards = Body({ id: Type.Optional(Uuid()) });

export const RotateCredentials = Body({ id: Type.Optional(Uuid()), credentials: Credentials });

export const ProcessorParams = Type.Object({ processorId: Uuid() });
export const ProcessorData = Answer(null, { processor: Component(Processor) });
export const InvitedCardsData = Answer(null, {
  sent: Type.Integer({ minimum: 0, description: 'Subscriptions whose buyers are mailed.' }),
});
export const ProcessorsData = Answer(null, { processors: Type.Array(Component(Processor)) });

/** What is shown of a connection beside its row. */
export interface Beside {
  waiting?: Waiting | undefined;
  lastReport?: Row<'processorReports'> | undefined;
  telling?: Telling | undefined;
}

const NOTHING_WAITS: Waiting = { charges: 0, refunds: 0 };

/** What has no account tells nothing, and what nothing lets us into. */
function toWebhookState({ credentials }: Row<'processors'>, telling: Telling | undefined) {
  if (telling?.isTold) return 'active' as const;
  return credentials === null ? ('none' as const) : ('polling' as const);
}

/** No credential leaves. */
export function toProcessor(
  row: Row<'processors'>,
  methodsOfKind: readonly string[],
  { waiting = NOTHING_WAITS, lastReport, telling }: Beside = {},
): Static<typeof Processor> {
  const details = row.kind === 'manual' ? (row.details as ManualDetails) : null;
  // Written by our own flow in this form.
  const domains = row.domains as WalletDomain[];
  // Words of closed lists, checked on the way in.
  return {
    object: 'processor',
    id: row.id,
    kind: row.kind as (typeof KINDS)[number],
    name: row.name,
    status: row.status,
    health: { state: row.health, since: row.healthSince, reason: row.healthReason, waiting, domains },
    priority: row.priority,
    currencies: row.currencies as Static<typeof Processor>['currencies'],
    countries: row.countries,
    methods: METHOD_TYPES.filter((type) => methodsOfKind.includes(type)).map((type) => ({
      type,
      status: row.methods.length === 0 || row.methods.includes(type) ? 'active' : 'off',
      reason: null,
    })),
    accountId: row.accountId,
    accountCountry: row.accountCountry,
    accountCurrency: row.accountCurrency,
    keyLast4: row.keyLast4,
    instructions: details?.instructions ?? null,
    iban: details?.iban ?? null,
    bic: details?.bic ?? null,
    holder: details?.holder ?? null,
    dueDays: details?.dueDays ?? null,
    webhook: { state: toWebhookState(row, telling), lastEventAt: telling?.lastEventAt ?? null },
    lastReport: lastReport ? toProcessorReport(lastReport) : null,
    createdAt: row.createdAt,
    retiredAt: row.retiredAt,
  };
}
