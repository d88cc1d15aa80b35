/** Every resource's routes and shared schemas, in the order of the reference page. */
import type { TSchema } from 'typebox';
import type { Route } from '../http/route.ts';
import { CheckoutElement } from '../resources/checkout-elements/checkout-elements.schema.ts';
import { CustomField } from '../resources/custom-fields/custom-fields.schema.ts';
import { Discount } from '../resources/discounts/discounts.schema.ts';
import { Event, ExpiredEvent } from '../resources/events/events.schema.ts';
import { File } from '../resources/files/files.schema.ts';
import { Balance, Proof } from '../resources/ledger/ledger.schema.ts';
import { Mail } from '../resources/mails/mails.schema.ts';
import { OfferKey } from '../resources/offer-keys/offer-keys.schema.ts';
import { Offer, WholeOffer } from '../resources/offers/offers.schema.ts';
import { Item, Order } from '../resources/orders/orders.schema.ts';
import { PaymentMethod } from '../resources/payment-methods/payment-methods.schema.ts';
import { Charge, Payment } from '../resources/payments/payments.schema.ts';
import { Product, ProductShort } from '../resources/products/products.schema.ts';
import { WholeProduct } from '../resources/products/whole-product.schema.ts';
import { Refund } from '../resources/refunds/refunds.schema.ts';
import { Settings } from '../resources/settings/settings.schema.ts';
import { planComponents } from '../resources/subscriptions/subscription-billing.schema.ts';
import { Subscription } from '../resources/subscriptions/subscriptions.schema.ts';
import { Tax } from '../resources/tax/tax.schema.ts';
import { TestClock } from '../resources/test-clock/test-clock.schema.ts';
import { Deletion, InventoryItem, User } from '../resources/users/users.schema.ts';
import { Variant } from '../resources/variants/variants.schema.ts';
import { Webhook, WebhookAttempt } from '../resources/webhooks/webhooks.schema.ts';
import { chargeRoutes } from './charges.routes.ts';
import { checkoutElementRoutes } from './checkout-elements.routes.ts';
import { customFieldRoutes } from './custom-fields.routes.ts';
import { discountRoutes } from './discounts.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { fileRoutes } from './files.routes.ts';
import { ledgerRoutes } from './ledger.routes.ts';
import { mailRoutes } from './mails.routes.ts';
import { offerKeyRoutes } from './offer-keys.routes.ts';
import { offerRoutes } from './offers.routes.ts';
import { orderRoutes } from './orders.routes.ts';
import { paymentRoutes } from './payments.routes.ts';
import { planRoutes } from './plans.routes.ts';
import { productRoutes } from './products.routes.ts';
import { refundRoutes } from './refunds.routes.ts';
import { settingsRoutes } from './settings.routes.ts';
import { planChangeRoutes } from './subscription-billing.routes.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';
import { taxRoutes } from './tax.routes.ts';
import { testClockRoutes } from './test-clock.routes.ts';
import { testPurchaseRoutes } from './test-purchases.routes.ts';
import { userRoutes } from './users.routes.ts';
import { variantRoutes } from './variants.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';

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
  ...chargeRoutes,
  ...refundRoutes,
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
  ExpiredEvent,
  Mail,
  Balance,
  Proof,
  Settings,
  User,
  PaymentMethod,
  Deletion,
  InventoryItem,
  Tax,
];
