/** Every resource's routes and shared schemas, in the order of the reference page. */
import type { TSchema } from 'typebox';
import type { Route } from '../http/route.ts';
import {
  Account,
  ListedSession,
  Passkey,
  Session,
  SessionWorkspace,
} from '../resources/accounts/accounts.schema.ts';
import { ApiKey } from '../resources/api-keys/api-keys.schema.ts';
import { AuditEntry } from '../resources/audit-log/audit-log.schema.ts';
import {
  CheckoutElement,
  ListedCheckoutElement,
} from '../resources/checkout-elements/checkout-elements.schema.ts';
import { CheckoutSession } from '../resources/checkouts/merchant-sessions.schema.ts';
import { CancellationNotice } from '../resources/consumer/notices.schema.ts';
import { Withdrawal } from '../resources/consumer/withdrawals.schema.ts';
import { CustomField } from '../resources/custom-fields/custom-fields.schema.ts';
import { DeviceRequest } from '../resources/device-requests/device-requests.schema.ts';
import { Discount } from '../resources/discounts/discounts.schema.ts';
import { Dispute } from '../resources/disputes/disputes.schema.ts';
import { Event, ExpiredEvent, ListedEvent, ListedExpiredEvent } from '../resources/events/events.schema.ts';
import { Export } from '../resources/exports/exports.schema.ts';
import { File, ListedFile } from '../resources/files/files.schema.ts';
import { ImportLine } from '../resources/imports/import-lines.schema.ts';
import {
  Activation,
  Import,
  ImportCharge,
  ImportCounts,
  ImportFault,
  ImportPlan,
  ImportPriceChange,
  ImportWarning,
  ListedImport,
  Rehearsal,
  RehearsedCharge,
} from '../resources/imports/imports.schema.ts';
import {
  InstallationAccount,
  InstallationSettingsShape,
  InstallationStatus,
  InstallationWorkspace,
  SweepPreview,
} from '../resources/installation/installation.schema.ts';
import { Invoice } from '../resources/invoices/invoices.schema.ts';
import { Balance, LedgerEntry, Proof } from '../resources/ledger/ledger.schema.ts';
import { HeardDelivery, Listener } from '../resources/listeners/listeners.schema.ts';
import { Mail } from '../resources/mails/mails.schema.ts';
import { OfferKey } from '../resources/offer-keys/offer-keys.schema.ts';
import { Offer, WholeOffer } from '../resources/offers/offers.schema.ts';
import { Item, ListedOrder, Order, OrderItem } from '../resources/orders/orders.schema.ts';
import { PaymentMethod } from '../resources/payment-methods/payment-methods.schema.ts';
import { Charge, ListedPayment, Payment } from '../resources/payments/payments.schema.ts';
import { PortalSession } from '../resources/portal/portal.schema.ts';
import { ProcessorEvent } from '../resources/processors/processor-events.schema.ts';
import { ProcessorReport } from '../resources/processors/processor-reports.schema.ts';
import { Processor } from '../resources/processors/processors.schema.ts';
import { ListedProduct, Product, ProductShort } from '../resources/products/products.schema.ts';
import { WholeProduct } from '../resources/products/whole-product.schema.ts';
import { ListedRefund, Refund } from '../resources/refunds/refunds.schema.ts';
import { LoggedRequest } from '../resources/request-log/request-log.schema.ts';
import { Settings } from '../resources/settings/settings.schema.ts';
import { planComponents } from '../resources/subscriptions/subscription-billing.schema.ts';
import { ListedSubscription, Subscription } from '../resources/subscriptions/subscriptions.schema.ts';
import { Tax } from '../resources/tax/tax.schema.ts';
import { TableRate, TaxSummaryRow, TaxThreshold } from '../resources/tax/tax-tables.schema.ts';
import { Invitation, Member, OpenedInvitation } from '../resources/team/team.schema.ts';
import { TestClock } from '../resources/test-clock/test-clock.schema.ts';
import { Note, TimelineEntry } from '../resources/timeline/timeline.schema.ts';
import { Deletion, InventoryItem, ListedUser, User } from '../resources/users/users.schema.ts';
import { Variant } from '../resources/variants/variants.schema.ts';
import { View } from '../resources/views/views.schema.ts';
import { Webhook, WebhookAttempt, WebhookDelivery } from '../resources/webhooks/webhooks.schema.ts';
import { Workspace } from '../resources/workspaces/workspaces.schema.ts';
import { accountRoutes } from './account.routes.ts';
import { apiKeyRoutes } from './api-keys.routes.ts';
import { auditLogRoutes } from './audit-log.routes.ts';
import { cancellationNoticeRoutes } from './cancellation-notices.routes.ts';
import { changeRoutes } from './changes.routes.ts';
import { chargeRoutes } from './charges.routes.ts';
import { checkoutElementRoutes } from './checkout-elements.routes.ts';
import { checkoutSessionRoutes } from './checkout-sessions.routes.ts';
import { customFieldRoutes } from './custom-fields.routes.ts';
import { deliveryRoutes } from './deliveries.routes.ts';
import { deviceRequestRoutes } from './device-requests.routes.ts';
import { discountRoutes } from './discounts.routes.ts';
import { disputeRoutes } from './disputes.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { createExportedLists } from './exported-lists.ts';
import { exportRoutes } from './exports.routes.ts';
import { fileRoutes } from './files.routes.ts';
import { importRoutes } from './imports.routes.ts';
import { installationRoutes } from './installation.routes.ts';
import { invitationRoutes } from './invitations.routes.ts';
import { invoiceRoutes } from './invoices.routes.ts';
import { ledgerRoutes } from './ledger.routes.ts';
import { listenerRoutes } from './listeners.routes.ts';
import { mailRoutes } from './mails.routes.ts';
import { memberRoutes } from './members.routes.ts';
import { offerKeyRoutes } from './offer-keys.routes.ts';
import { offerRoutes } from './offers.routes.ts';
import { oidcRoutes } from './oidc.routes.ts';
import { orderRoutes } from './orders.routes.ts';
import { paymentRoutes } from './payments.routes.ts';
import { planRoutes } from './plans.routes.ts';
import { merchantSessionRoutes } from './portal-sessions.routes.ts';
import { processorEventRoutes } from './processor-events.routes.ts';
import { processorReportRoutes } from './processor-reports.routes.ts';
import { processorRoutes } from './processors.routes.ts';
import { productRoutes } from './products.routes.ts';
import { refundRoutes } from './refunds.routes.ts';
import { reportRoutes } from './reports.routes.ts';
import { requestLogRoutes } from './request-log.routes.ts';
import { searchRoutes } from './search.routes.ts';
import { sessionRoutes } from './session.routes.ts';
import { sessionsRoutes } from './sessions.routes.ts';
import { settingsRoutes } from './settings.routes.ts';
import { signInWayRoutes } from './sign-in-ways.routes.ts';
import { planChangeRoutes } from './subscription-billing.routes.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';
import { taxRoutes } from './tax.routes.ts';
import { taxTableRoutes } from './tax-tables.routes.ts';
import { testClockRoutes } from './test-clock.routes.ts';
import { testPurchaseRoutes } from './test-purchases.routes.ts';
import { timelineRoutes } from './timeline.routes.ts';
import { userRoutes } from './users.routes.ts';
import { variantRoutes } from './variants.routes.ts';
import { viewRoutes } from './views.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { whoamiRoutes } from './whoami.routes.ts';
import { withdrawalRoutes } from './withdrawals.routes.ts';
import { workspaceRoutes } from './workspaces.routes.ts';

const resources: readonly Route[] = [
  ...whoamiRoutes,
  ...productRoutes,
  ...variantRoutes,
  ...planRoutes,
  ...offerRoutes,
  ...offerKeyRoutes,
  ...discountRoutes,
  ...checkoutElementRoutes,
  ...checkoutSessionRoutes,
  ...customFieldRoutes,
  ...fileRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...chargeRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...processorRoutes,
  ...processorEventRoutes,
  ...processorReportRoutes,
  ...withdrawalRoutes,
  ...cancellationNoticeRoutes,
  ...invoiceRoutes,
  ...subscriptionRoutes,
  ...planChangeRoutes,
  ...importRoutes,
  ...testPurchaseRoutes,
  ...testClockRoutes,
  ...webhookRoutes,
  ...listenerRoutes,
  ...eventRoutes,
  ...deliveryRoutes,
  ...mailRoutes,
  ...userRoutes,
  ...merchantSessionRoutes,
  ...taxRoutes,
  ...taxTableRoutes,
  ...settingsRoutes,
  ...ledgerRoutes,
  ...sessionRoutes,
  ...reportRoutes,
  ...signInWayRoutes,
  ...oidcRoutes,
  ...sessionsRoutes,
  ...accountRoutes,
  ...deviceRequestRoutes,
  ...searchRoutes,
  ...timelineRoutes,
  ...viewRoutes(() => routes),
  ...apiKeyRoutes,
  ...requestLogRoutes,
  ...auditLogRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...installationRoutes,
];

/** The lists as exports read them. */
export const exportedLists = createExportedLists({ routes: () => routes, components: () => components });

export const routes: readonly Route[] = [
  ...resources,
  ...exportRoutes(() => routes, exportedLists),
  ...changeRoutes(() => routes),
];

export const components: readonly TSchema[] = [
  TestClock,
  ProductShort,
  Product,
  ListedProduct,
  WholeProduct,
  Variant,
  Offer,
  WholeOffer,
  OfferKey,
  Discount,
  CheckoutElement,
  ListedCheckoutElement,
  CheckoutSession,
  CustomField,
  File,
  ListedFile,
  Order,
  ListedOrder,
  OrderItem,
  Item,
  Payment,
  ListedPayment,
  Charge,
  Refund,
  ListedRefund,
  Dispute,
  Processor,
  ProcessorEvent,
  ProcessorReport,
  Withdrawal,
  CancellationNotice,
  Invoice,
  ...planComponents,
  Subscription,
  ListedSubscription,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  Listener,
  HeardDelivery,
  Event,
  ListedEvent,
  ListedExpiredEvent,
  ExpiredEvent,
  Mail,
  Balance,
  LedgerEntry,
  Proof,
  Settings,
  User,
  ListedUser,
  PaymentMethod,
  Deletion,
  PortalSession,
  InventoryItem,
  Tax,
  TableRate,
  TaxSummaryRow,
  TaxThreshold,
  TimelineEntry,
  Note,
  View,
  Export,
  ImportLine,
  ImportCounts,
  ImportWarning,
  ImportFault,
  ImportCharge,
  ImportPriceChange,
  ImportPlan,
  RehearsedCharge,
  Rehearsal,
  Import,
  ListedImport,
  Activation,
  Account,
  SessionWorkspace,
  DeviceRequest,
  Session,
  ListedSession,
  Passkey,
  ApiKey,
  LoggedRequest,
  AuditEntry,
  Workspace,
  Member,
  Invitation,
  OpenedInvitation,
  InstallationStatus,
  InstallationWorkspace,
  InstallationAccount,
  InstallationSettingsShape,
  SweepPreview,
];
