/**
 * The tables as the query layer sees them: camelCase names over the snake_case columns of
 * `migrations/`, money as bigint minor units, times as integer ms. Each room's tables are described in
 * `schema/` and joined here. Rows never leave the query layer except through a resource's `to…` converter.
 */
import type { Selectable } from 'kysely';
import type { AccountTables } from './schema/accounts.ts';
import type { ApiKeyTables } from './schema/api-keys.ts';
import type { CheckoutTables } from './schema/checkouts.ts';
import type { ConsumerTables } from './schema/consumer.ts';
import type { DiscountTables } from './schema/discounts.ts';
import type { EventTables } from './schema/events.ts';
import type { FigureTables } from './schema/figures.ts';
import type { ImportTables } from './schema/imports.ts';
import type { InstallationTables } from './schema/installation.ts';
import type { InvoiceTables } from './schema/invoices.ts';
import type { OfferTables } from './schema/offers.ts';
import type { OrderTables } from './schema/orders.ts';
import type { PaymentTables } from './schema/payments.ts';
import type { PortalTables } from './schema/portal.ts';
import type { ProductTables } from './schema/products.ts';
import type { RequestTables } from './schema/requests.ts';
import type { SubscriptionTables } from './schema/subscriptions.ts';
import type { TeamTables } from './schema/team.ts';
import type { UserTables } from './schema/users.ts';
import type { ViewTables } from './schema/views.ts';
import type { WorkTables } from './schema/work.ts';
import type { WorkspaceTables } from './schema/workspaces.ts';

export interface Tables
  extends WorkspaceTables,
    TeamTables,
    AccountTables,
    ApiKeyTables,
    RequestTables,
    ProductTables,
    OfferTables,
    DiscountTables,
    CheckoutTables,
    ConsumerTables,
    UserTables,
    SubscriptionTables,
    OrderTables,
    PaymentTables,
    InvoiceTables,
    PortalTables,
    FigureTables,
    EventTables,
    ImportTables,
    WorkTables,
    ViewTables,
    InstallationTables {}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
