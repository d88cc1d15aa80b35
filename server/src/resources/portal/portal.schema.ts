/** Sessions of the portal in the API, and the ways in. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { PORTAL_FLOWS } from '../../domain/portal/portal-path.ts';
import { findEnd, findFreshUntil } from '../../domain/portal/session-life.ts';
import type { Settings } from '../../domain/settings.ts';
import { CANCEL_REASONS } from '../../domain/settings-blocks.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  Described,
  Ms,
  Nullable,
  StringEnum,
  Text,
  Uuid,
} from '../shapes.ts';
import { toUser } from '../users/users.schema.ts';
import { PortalDeletion, toOwnDeletion } from './account.schema.ts';
import { PortalUser } from './for-buyers.schema.ts';
import type { PortalSessionRow } from './portal-sessions.queries.ts';

const text = () => Nullable(Type.String());

/** What a buyer may do here: the switches of the setting `portal`. */
export const PortalFeatures = Answer('PortalFeatures', {
  planChange: Type.Boolean(),
  quantityChange: Type.Boolean(),
  pause: Type.Boolean(),
  pauseMaxDays: Type.Integer({ description: 'How long a buyer’s pause may last (days).' }),
  cancelTiming: StringEnum(['endInterval', 'immediately', 'choice']),
  cancelReasons: Type.Array(StringEnum(CANCEL_REASONS)),
  emailChange: Type.Boolean(),
  passwordSignIn: Type.Boolean(),
  deletion: StringEnum(['request', 'automatic'], {
    description:
      'Whether a buyer’s wish to be erased waits for the merchant (`request`) or for time alone (`automatic`).',
  }),
});

/** The shop as its pages show it. */
export const PortalStore = Answer('PortalStore', {
  slug: Type.String({ description: 'Where the portal is found.' }),
  testMode: Type.Boolean(),
  name: Type.String(),
  headline: text(),
  supportEmail: text(),
  currency: Nullable(Currency()),
  currencyDecimals: Nullable(Type.Integer()),
  logo: Described(text(), 'Address of the logo; null: the name stands there.'),
  icon: Described(text(), 'Address of the icon; null: ours.'),
  accent: Described(text(), 'The shop’s colour, as #rrggbb; null: ours.'),
  theme: StringEnum(['auto', 'light', 'dark']),
  termsUrl: text(),
  privacyUrl: text(),
  imprintUrl: text(),
  websiteUrl: text(),
});

export const PortalFlow = StringEnum(PORTAL_FLOWS);

export const BuyerSession = Answer('BuyerSession', {
  object: StringEnum(['portal_session']),
  id: Uuid(),
  store: Component(PortalStore),
  user: Component(PortalUser),
  features: Component(PortalFeatures),
  hasPassword: Type.Boolean(),
  deletion: Component(PortalDeletion),
  freshUntil: Nullable(Ms({ description: 'Until when it counts as just proved; null = prove it again.' })),
  expiresAt: Ms({ description: 'When it ends if nobody uses it any more.' }),
  flow: Nullable(PortalFlow),
  subscriptionId: text(),
  offerId: Nullable(Uuid()),
  returnUrl: text(),
  afterFlow: Nullable(StringEnum(['portal', 'return'])),
  path: Nullable(Type.String({ description: 'Where the buyer wanted to go when the code was asked for.' })),
});

export interface ShownStore {
  store: { name: string; slug: string; currency: string | null };
  settings: Settings;
  testMode: boolean;
}

export function toPortalStore({ store, settings, testMode }: ShownStore): Static<typeof PortalStore> {
  const { seller, branding, portal } = settings;
  return {
    slug: store.slug,
    testMode,
    name: seller.name ?? store.name,
    headline: portal.headline,
    supportEmail: seller.email,
    // Written by our own check of currencies.
    currency: store.currency as Static<typeof PortalStore>['currency'],
    currencyDecimals: store.currency === null ? null : currencyDecimals(store.currency),
    ...branding,
  };
}

export function toFeatures({ portal }: Settings): Static<typeof PortalFeatures> {
  const { quantityChange, pause, pauseMaxDays, cancelTiming, emailChange, passwordSignIn, deletion } = portal;
  return {
    planChange: portal.planChange !== 'off',
    ...{ quantityChange, pause, pauseMaxDays, cancelTiming, emailChange, passwordSignIn, deletion },
    cancelReasons: portal.cancelReasons,
  };
}

interface ShownSession extends Omit<ShownStore, 'testMode'> {
  session: PortalSessionRow;
  user: Row<'users'>;
  /** The number that its subscription is known by. */
  subscriptionNumber: string | null;
  path?: string | null;
  nowMs: number;
}

export function toBuyerSession(shown: ShownSession): Static<typeof BuyerSession> {
  const { session, user, nowMs, path = null, settings } = shown;
  // Written by our own schema of input.
  const { flow, afterFlow } = session as Pick<Static<typeof BuyerSession>, 'flow' | 'afterFlow'>;
  return {
    object: 'portal_session',
    id: session.id,
    store: toPortalStore({ ...shown, testMode: session.testMode }),
    user: toUser(user),
    features: toFeatures(settings),
    hasPassword: user.passwordHash !== null,
    deletion: toOwnDeletion(user),
    freshUntil: findFreshUntil(session, nowMs),
    expiresAt: findEnd(session),
    flow,
    subscriptionId: shown.subscriptionNumber,
    offerId: session.offerId,
    returnUrl: session.returnUrl ?? settings.portal.returnUrl,
    afterFlow,
    path,
  };
}

const store = {
  store: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$', description: 'The `portalSlug`.' }),
  testMode: Type.Optional(Type.Boolean()),
};
const email = Text(320);
const language = Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' }));
const path = Type.Optional(
  Type.String({
    pattern: '^/[A-Za-z0-9/_-]{0,200}$',
    description: 'The page of the portal that is opened after signing in.',
  }),
);

export const RequestCode = Body({ ...store, email, language, path });
export const FindPurchase = Body({
  ...store,
  orderNumber: Type.Optional(Text(64)),
  key: Type.Optional(Text(500, { description: 'A licence key that was bought.' })),
  language,
  path,
});
export const VerifyCode = Body({
  store: Type.Optional(store.store),
  testMode: store.testMode,
  email: Type.Optional(Text(320, { description: 'In another browser than the one that asked.' })),
  code: Type.Optional(Type.String({ pattern: '^[0-9 ]{8,20}$', description: 'The 8 digits of the mail.' })),
  token: Type.Optional(Type.String({ minLength: 20, maxLength: 100, description: 'Of the mail’s link.' })),
});
export const SignInByPassword = Body({
  ...store,
  email,
  password: Type.String({ minLength: 1, maxLength: 200 }),
});
export const OpenPortal = Body({ token: Type.String({ minLength: 20, maxLength: 100 }) });
export const SignOutPortal = Body({
  everywhere: Type.Optional(Type.Boolean({ description: 'In all browsers, too.' })),
});

export const SentData = Answer(null, { sent: Type.Literal(true) });
export const BuyerSessionData = Answer(null, { session: Component(BuyerSession) });
export const NothingData = Answer(null, {});

/** A session that the merchant opened. */
export const PortalSession = Answer('PortalSession', {
  object: StringEnum(['portal_session']),
  id: Uuid(),
  userId: Uuid(),
  url: Nullable(Type.String({ description: 'Opens once; shown when it is made and never again.' })),
  token: Nullable(Type.String({ description: 'A bearer for your own pages; shown when it is made.' })),
  flow: PortalFlow,
  subscriptionId: text(),
  offerId: Nullable(Uuid()),
  returnUrl: text(),
  createdAt: Ms(),
  openUntil: Ms({ description: 'Until when `url` opens it (Unix ms).' }),
  openedAt: Nullable(Ms()),
  expiresAt: Ms(),
  revokedAt: Nullable(Ms()),
});

export const CreatePortalSession = Body({
  userId: Type.Optional(Uuid()),
  internalId: Type.Optional(Text(255)),
  email: Type.Optional(email),
  flow: Type.Optional(PortalFlow),
  subscriptionId: Type.Optional(Text(64)),
  offerId: Type.Optional(Uuid({ description: 'Preselected where the plan is changed.' })),
  returnUrl: Type.Optional(Text(2000)),
  afterFlow: Type.Optional(StringEnum(['portal', 'return'])),
  language,
});
export const PortalSessionParams = Type.Object({ portalSessionId: Uuid() });
export const PortalSessionData = Answer(null, { portalSession: Component(PortalSession) });

export function toMerchantSession(
  row: PortalSessionRow,
  {
    subscriptionNumber,
    url,
    token,
  }: { subscriptionNumber: string | null; url: string | null; token: string | null },
): Static<typeof PortalSession> {
  return {
    object: 'portal_session',
    id: row.id,
    userId: row.userId,
    url,
    token,
    flow: (row.flow ?? 'overview') as Static<typeof PortalFlow>,
    subscriptionId: subscriptionNumber,
    offerId: row.offerId,
    returnUrl: row.returnUrl,
    createdAt: row.createdAt,
    openUntil: row.openUntil ?? row.createdAt,
    openedAt: row.openedAt,
    expiresAt: row.endsAt,
    revokedAt: row.revokedAt,
  };
}
