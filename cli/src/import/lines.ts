/** The lines that the service takes (`counterfoil-import`, version 1), by its own types, of which nothing is bundled. */
import type {
  ImportLine as BodyLine,
  MetaLine,
  SubscriptionLine,
} from '../../../server/src/domain/imports/lines.ts';

export type {
  CustomerLine,
  DiscountLine,
  MetaLine,
  OfferLine,
  PaymentMethodLine,
  SubscriptionLine,
  TaxBehavior,
} from '../../../server/src/domain/imports/lines.ts';

export type SubscriptionItem = SubscriptionLine['items'][number];
export type Interval = NonNullable<Extract<BodyLine, { kind: 'offer' }>['interval']>;
export type ImportLine = MetaLine | BodyLine;

export const toMeta = (
  source: string,
  { account = null, currency = null }: { account?: string | null; currency?: string | null } = {},
): MetaLine => ({ kind: 'meta', format: 'counterfoil-import', version: 1, source, account, currency });
