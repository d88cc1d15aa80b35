/** Every resource's routes and shared schemas, in the order of the reference page. */
import type { TSchema } from 'typebox';
import type { Route } from '../http/route.ts';
import { checkoutElementRoutes } from '../resources/checkout-elements/checkout-elements.routes.ts';
import { CheckoutElement } from '../resources/checkout-elements/checkout-elements.schema.ts';
import { customFieldRoutes } from '../resources/custom-fields/custom-fields.routes.ts';
import { CustomField } from '../resources/custom-fields/custom-fields.schema.ts';
import { discountRoutes } from '../resources/discounts/discounts.routes.ts';
import { Discount } from '../resources/discounts/discounts.schema.ts';
import { eventRoutes } from '../resources/events/events.routes.ts';
import { Event } from '../resources/events/events.schema.ts';
import { fileRoutes } from '../resources/files/files.routes.ts';
import { File } from '../resources/files/files.schema.ts';
import { ledgerRoutes } from '../resources/ledger/ledger.routes.ts';
import { Balance, Proof } from '../resources/ledger/ledger.schema.ts';
import { mailRoutes } from '../resources/mails/mails.routes.ts';
import { Mail } from '../resources/mails/mails.schema.ts';
import { offerKeyRoutes } from '../resources/offer-keys/offer-keys.routes.ts';
import { OfferKey } from '../resources/offer-keys/offer-keys.schema.ts';
import { offerRoutes } from '../resources/offers/offers.routes.ts';
import { Offer, WholeOffer } from '../resources/offers/offers.schema.ts';
import { orderRoutes } from '../resources/orders/orders.routes.ts';
import { Item, Order } from '../resources/orders/orders.schema.ts';
import { paymentRoutes } from '../resources/payments/payments.routes.ts';
import { Charge, Payment } from '../resources/payments/payments.schema.ts';
import { planRoutes } from '../resources/plans/plans.routes.ts';
import { productRoutes } from '../resources/products/products.routes.ts';
import { Product, ProductShort } from '../resources/products/products.schema.ts';
import { WholeProduct } from '../resources/products/whole-product.schema.ts';
import { Refund } from '../resources/refunds/refunds.schema.ts';
import { settingsRoutes } from '../resources/settings/settings.routes.ts';
import { Settings } from '../resources/settings/settings.schema.ts';
import { planChangeRoutes } from '../resources/subscriptions/plan.routes.ts';
import { planComponents } from '../resources/subscriptions/plan.schema.ts';
import { subscriptionRoutes } from '../resources/subscriptions/subscriptions.routes.ts';
import { Subscription } from '../resources/subscriptions/subscriptions.schema.ts';
import { taxRoutes } from '../resources/tax/tax.routes.ts';
import { Tax } from '../resources/tax/tax.schema.ts';
import { testClockRoutes } from '../resources/test-clock/test-clock.routes.ts';
import { TestClock } from '../resources/test-clock/test-clock.schema.ts';
import { testPurchaseRoutes } from '../resources/test-purchases/test-purchases.routes.ts';
import { userRoutes } from '../resources/users/users.routes.ts';
import { InventoryItem, User } from '../resources/users/users.schema.ts';
import { variantRoutes } from '../resources/variants/variants.routes.ts';
import { Variant } from '../resources/variants/variants.schema.ts';
import { webhookRoutes } from '../resources/webhooks/webhooks.routes.ts';
import { Webhook, WebhookAttempt } from '../resources/webhooks/webhooks.schema.ts';

export const routes: readonly Route[] = [
  ...productRoutes,
  ...variantRoutes,
  ...planRoutes,
  ...offerRoutes,
  ...offerKeyRoutes,
  ...discountRoutes,
  ...checkoutElementRoutes,
  ...customFieldRoutes,
  ...fileRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...subscriptionRoutes,
  ...planChangeRoutes,
  ...testPurchaseRoutes,
  ...testClockRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...mailRoutes,
  ...userRoutes,
  ...taxRoutes,
  ...settingsRoutes,
  ...ledgerRoutes,
];

export const components: readonly TSchema[] = [
  TestClock,
  ProductShort,
  Product,
  WholeProduct,
  Variant,
  Offer,
  WholeOffer,
  OfferKey,
  Discount,
  CheckoutElement,
  CustomField,
  File,
  Order,
  Item,
  Payment,
  Charge,
  Refund,
  ...planComponents,
  Subscription,
  Webhook,
  WebhookAttempt,
  Event,
  Mail,
  Balance,
  Proof,
  Settings,
  User,
  InventoryItem,
  Tax,
];
