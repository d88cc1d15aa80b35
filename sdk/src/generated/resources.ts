/** Generated from docs/openapi.json by `npm run generate`: do not edit. */

import type { Call, CallOptions, Listing, UploadInput } from '../call.ts';
import type * as T from './types.ts';

export interface RootMethods {
  /** Tell whose keys these are */
  whoami(options?: CallOptions): Call<T.WhoamiData>;
  /** Find objects of any kind by one text. Shows only kinds that whoever asks may read. */
  search(query?: T.SearchQuery, options?: CallOptions): Call<T.SearchData>;
}
export interface ProductsResource {
  /** List products, newest first */
  list(query?: T.ListProductsQuery, options?: CallOptions): Listing<T.ListedProduct>;
  /** Get a product with its variants, plans and offers. Archived variants and offers are left out. */
  get(productId: string, options?: CallOptions): Call<T.ProductData>;
  /** Create a product, with variants or plans and offers if wanted. An inline offer points at an inline variant or plan with `variantIdx`. All is made or nothing. */
  create(body: T.CreateProductBody, options?: CallOptions): Call<T.ProductData>;
  /** Change a product. Missing fields stay as they are; the type never changes. What was sold keeps the product as it was. */
  update(productId: string, body?: T.UpdateProductBody, options?: CallOptions): Call<T.UpdateProductData>;
  /** Archive a product and its offers */
  archive(productId: string, options?: CallOptions): Call<T.ArchiveProductData>;
  /** Take a product back from the archive. Its offers stay archived until each is taken back, but for `withOffers`. */
  unarchive(productId: string, body?: T.UnarchiveProductBody, options?: CallOptions): Call<T.UnarchiveProductData>;
  /** Copy a product with its variants, without its offers */
  duplicate(productId: string, options?: CallOptions): Call<T.ProductData>;
}
export interface VariantsResource {
  /** Add a variant to a product */
  add(productId: string, body: T.AddVariantBody, options?: CallOptions): Call<T.AddVariantData>;
  /** Change a variant. Missing fields stay as they are. What was sold keeps the variant as it was. */
  update(productId: string, variantId: string, body?: T.UpdateVariantBody, options?: CallOptions): Call<T.UpdateVariantData>;
  /** Archive a variant, with its offers if wanted */
  archive(productId: string, variantId: string, body?: Omit<T.ArchiveVariantBody, 'id'>, options?: CallOptions): Call<T.ArchiveVariantData>;
  /** Take a variant back from the archive. Its offers stay archived until each is taken back. */
  unarchive(productId: string, variantId: string, options?: CallOptions): Call<T.UnarchiveVariantData>;
}
export interface PlansResource {
  /** Add a plan to a Subscription product */
  add(productId: string, body: T.AddPlanBody, options?: CallOptions): Call<T.AddPlanData>;
  /** Change a plan. Missing fields stay as they are. Running subscriptions keep the plan they were sold. */
  update(productId: string, planId: string, body?: T.UpdatePlanBody, options?: CallOptions): Call<T.UpdatePlanData>;
  /** Archive a plan, with its offers if wanted */
  archive(productId: string, planId: string, body?: Omit<T.ArchivePlanBody, 'id'>, options?: CallOptions): Call<T.ArchivePlanData>;
  /** Take a plan back from the archive. Its offers stay archived until each is taken back. */
  unarchive(productId: string, planId: string, options?: CallOptions): Call<T.UnarchivePlanData>;
}
export interface OffersResource {
  /** List offers, newest first */
  list(query?: T.ListOffersQuery, options?: CallOptions): Listing<T.Offer>;
  /** Get an offer with its product, its variant and the number of its keys */
  get(offerId: string, options?: CallOptions): Call<T.GetOfferData>;
  /** Offer a product at a price. The store's first offer sets its currency. An archived product or variant takes no new offer. */
  create(body: T.CreateOfferBody, options?: CallOptions): Call<T.CreateOfferData>;
  /** Change an offer. Missing fields stay as they are. A new price never touches what was sold; running subscriptions keep theirs. */
  update(offerId: string, body?: T.UpdateOfferBody, options?: CallOptions): Call<T.UpdateOfferData>;
  /** Archive an offer */
  archive(offerId: string, options?: CallOptions): Call<T.ArchiveOfferData>;
  /** Take an offer back from the archive */
  unarchive(offerId: string, options?: CallOptions): Call<T.UnarchiveOfferData>;
}
export interface OfferKeysResource {
  /** List an offer's keys, newest first. A key is shown by its last four characters only. */
  list(offerId: string, query?: T.ListOfferKeysQuery, options?: CallOptions): Listing<T.OfferKey>;
  /** Stock keys. A key that is stocked in this offer already is not added twice. Buyers who paid and wait for a key get the first ones. An offer that has ever had keys sells only what is in stock. With `dryRun` nothing is written. */
  add(offerId: string, body?: T.AddOfferKeysBody, options?: CallOptions): Call<T.AddOfferKeysData>;
  /** Take a key off the shelf */
  removeUnsold(offerId: string, keyId: string, options?: CallOptions): Call<T.RemoveUnsoldOfferKeyData>;
  /** Take all of an offer's keys off the shelf. Keys that were sold or that an open checkout holds stay. */
  removeAllUnsold(offerId: string, options?: CallOptions): Call<T.RemoveAllUnsoldOfferKeysData>;
}
export interface DiscountsResource {
  /** List discounts, newest first */
  list(query?: T.ListDiscountsQuery, options?: CallOptions): Listing<T.Discount>;
  /** Get a discount */
  get(discountId: string, options?: CallOptions): Call<T.GetDiscountData>;
  /** Create a coupon code or a sale */
  create(body: T.CreateDiscountBody, options?: CallOptions): Call<T.CreateDiscountData>;
  /** Change a discount. Missing fields stay as they are. What was sold with the discount keeps it as it was. */
  update(discountId: string, body?: T.UpdateDiscountBody, options?: CallOptions): Call<T.UpdateDiscountData>;
  /** Archive a discount */
  archive(discountId: string, options?: CallOptions): Call<T.ArchiveDiscountData>;
  /** Take a discount back from the archive */
  unarchive(discountId: string, options?: CallOptions): Call<T.UnarchiveDiscountData>;
}
export interface CheckoutElementsResource {
  /** List checkout elements, newest first */
  list(query?: T.ListCheckoutElementsQuery, options?: CallOptions): Listing<T.ListedCheckoutElement>;
  /** Get a checkout element */
  get(elementId: string, options?: CallOptions): Call<T.GetCheckoutElementData>;
  /** Create a checkout of one or more offers. One or more one-time offers (an id named twice is bought twice) or exactly one subscription offer. A DRAFT offer may go in, an archived one not. */
  create(body?: T.CreateCheckoutElementBody, options?: CallOptions): Call<T.CreateCheckoutElementData>;
  /** Change a checkout element's offers or name */
  update(elementId: string, body?: T.UpdateCheckoutElementBody, options?: CallOptions): Call<T.UpdateCheckoutElementData>;
  /** Archive a checkout element: its link sells no more */
  archive(elementId: string, options?: CallOptions): Call<T.ArchiveCheckoutElementData>;
  /** Take a checkout element back from the archive */
  unarchive(elementId: string, options?: CallOptions): Call<T.UnarchiveCheckoutElementData>;
}
export interface CheckoutSessionsResource {
  /** Prepare a checkout for one buyer. Of `elementId` and `offersIds` one, of `userId`, `internalId` and `email` one at most. What it holds stands here and not in the address, where anybody could change it; lead the buyer to `url`. */
  create(body?: T.CreateCheckoutSessionBody, options?: CallOptions): Call<T.CreateCheckoutSessionData>;
  /** Get a checkout that you prepared */
  get(checkoutSessionId: string, options?: CallOptions): Call<T.GetCheckoutSessionData>;
  /** End a checkout that is not paid. Its page sells no more, and an order that was declined ends with it. */
  expire(checkoutSessionId: string, options?: CallOptions): Call<T.ExpireCheckoutSessionData>;
}
export interface CustomFieldsResource {
  /** List custom fields, newest first */
  list(query?: T.ListCustomFieldsQuery, options?: CallOptions): Listing<T.CustomField>;
  /** Ask buyers for one more thing at checkout */
  create(body: T.CreateCustomFieldBody, options?: CallOptions): Call<T.CreateCustomFieldData>;
  /** Change a custom field. Missing fields stay as they are. What buyers have answered stays with their orders. */
  update(customFieldId: string, body?: T.UpdateCustomFieldBody, options?: CallOptions): Call<T.UpdateCustomFieldData>;
  /** Archive a custom field; its key is free again */
  archive(customFieldId: string, options?: CallOptions): Call<T.ArchiveCustomFieldData>;
  /** Take a custom field back from the archive: buyers are asked again */
  unarchive(customFieldId: string, options?: CallOptions): Call<T.UnarchiveCustomFieldData>;
}
export interface FilesResource {
  /** List uploaded files, newest first */
  list(query?: T.ListFilesQuery, options?: CallOptions): Listing<T.ListedFile>;
  /** Upload a file. The raw bytes are the body. A picture (PNG, JPEG, WebP, GIF, AVIF; at most 16 megapixels) has a `url` at which anybody sees it; a download can be sold by an offer, and leaves by signed links of its buyers alone. */
  upload(input: UploadInput, options?: CallOptions): Call<T.UploadFileData>;
}
export interface OrdersResource {
  /** List orders, newest first unless sorted */
  list(query?: T.ListOrdersQuery, options?: CallOptions): Listing<T.ListedOrder>;
  /** Get an order by its id or number */
  get(orderIdOrNumber: string, options?: CallOptions): Call<T.GetOrderData>;
  /** Correct an order by hand. Amounts are applied before the status. On an unpaid order they change what is to be paid; on a paid one they change the order’s record alone. PAID settles the initial payment as received outside; REFUNDED records that all that is left was given back outside. Nothing leaves REFUNDED. Where the initial payment is EXPIRED or CANCELLED, which nothing leaves either, any status is the order’s record alone: nothing is settled or delivered. */
  update(orderIdOrNumber: string, body?: T.UpdateOrderBody, options?: CallOptions): Call<T.UpdateOrderData>;
  /** Call off an order. An unpaid order is not paid any more: a charge under way is stopped at the processor first, and one that was taken meanwhile makes the order PAID and the answer 409. A paid order keeps its money; its keys and downloads are taken back and its subscription ends. */
  cancel(orderIdOrNumber: string, options?: CallOptions): Call<T.CancelOrderData>;
  /** Give back the money of an order’s payment, in full or in part. An unknown outcome is a result: 200 with the refund `pending`, which the service follows up by itself. */
  refund(orderIdOrNumber: string, body?: T.RefundOrderBody, options?: CallOptions): Call<T.RefundData>;
  /** Show the keys that were delivered with an order. Noted in the audit log; 100 reveals an hour. */
  revealKeys(orderIdOrNumber: string, options?: CallOptions): Call<T.RevealOrderKeysData>;
  /** Let a bought file be downloaded anew. What was downloaded counts no more; the days that the offer gave go on. */
  resetDownloads(orderIdOrNumber: string, itemId: string, options?: CallOptions): Call<T.ResetItemDownloadsData>;
  /** Show what a refund would give back, and how much of it is tax. Decided as the refund itself; nothing is written. */
  previewRefund(orderIdOrNumber: string, query?: T.PreviewRefundQuery, options?: CallOptions): Call<T.PreviewRefundData>;
}
export interface PaymentsResource {
  /** List payments, newest first unless sorted */
  list(query?: T.ListPaymentsQuery, options?: CallOptions): Listing<T.ListedPayment>;
  /** Get a payment by its id or number */
  get(paymentId: string, options?: CallOptions): Call<T.GetPaymentData>;
  /** Call off a payment that is PENDING or UNPAID. A charge under way is stopped at the processor first. One that was taken meanwhile makes the payment PAID, and the answer is 409. An initial payment takes its order and subscription with it; the plan change of a `subscription_update` is dropped. */
  cancel(paymentId: string, options?: CallOptions): Call<T.CancelPaymentData>;
  /** Say that a transfer has come. Of a payment that a `manual` processor waits for: it is paid, without a fee. One that failed because nothing had come by then is paid all the same, and so is a period that waits behind it. Where another sum or currency has come, say so of the order first, by `PATCH /v0/orders/{orderIdOrNumber}/update`. */
  receive(paymentId: string, body: T.ReceivePaymentBody, options?: CallOptions): Call<T.ReceivePaymentData>;
}
export interface ChargesResource {
  /** Accept other money than was asked for. Of a charge whose `hold` is `discrepancy`: its payment is PAID at its own value, and the difference is booked apart. What was taken, if it is less, is the most that can be refunded. */
  accept(chargeId: string, body: T.AcceptChargeBody, options?: CallOptions): Call<T.AcceptChargeData>;
  /** Send other money than was asked for back. Of a charge whose `hold` is `discrepancy`: what was taken goes back, the charge is `failed`, and its payment goes on as after a decline. */
  return(chargeId: string, body: T.ReturnChargeBody, options?: CallOptions): Call<T.ReturnChargeData>;
}
export interface RefundsResource {
  /** List refunds, newest first */
  list(query?: T.ListRefundsQuery, options?: CallOptions): Listing<T.ListedRefund>;
  /** Say that a refund which no processor gives back has gone back. Of a `pending` refund that is given back by hand, such as one of a charge that was accepted in another currency, and of one that came back (`returnedAt`), whose status stays as it is. */
  settle(refundId: string, body: T.SettleRefundBody, options?: CallOptions): Call<T.RefundData>;
}
export interface DisputesResource {
  /** List disputes, newest first */
  list(query?: T.ListDisputesQuery, options?: CallOptions): Listing<T.Dispute>;
  /** Get a dispute */
  get(disputeId: string, options?: CallOptions): Call<T.GetDisputeData>;
}
export interface ProcessorsResource {
  /** List processors in the order in which they are asked */
  list(options?: CallOptions): Call<T.ListProcessorsData>;
  /** Get a processor */
  get(processorId: string, options?: CallOptions): Call<T.GetProcessorData>;
  /** Connect a processor. `manual` takes money outside: buyers are told where to send it, and it is paid once you say that it has come (`POST /v0/payments/{paymentId}/receive`). `stripe` is connected with a pair of keys, `paypal` with a client id and its secret, which are tried first. In live mode the owners are told by mail. */
  connect(body: T.ConnectProcessorBody, options?: CallOptions): Call<T.ConnectProcessorData>;
  /** Change what a processor is asked for. One that is `paused` takes no new payment; what it has charged is looked after. */
  update(processorId: string, body?: T.UpdateProcessorBody, options?: CallOptions): Call<T.UpdateProcessorData>;
  /** Retire a processor. It takes no new charge. Refunds and disputes of what it has charged go on, and its keys are kept for 180 days. */
  archive(processorId: string, body?: T.ArchiveProcessorBody, options?: CallOptions): Call<T.ArchiveProcessorData>;
  /** Replace a processor's keys. By others of the same account, which are tried first. */
  rotateCredentials(processorId: string, body: T.RotateProcessorCredentialsBody, options?: CallOptions): Call<T.RotateProcessorCredentialsData>;
  /** Have a processor tell at a new address, signed by a new secret. The one before is heard for 24 hours more, so that nothing is lost. */
  rotateWebhook(processorId: string, options?: CallOptions): Call<T.RotateProcessorWebhookData>;
  /** Ask a processor whether its keys are good. Notes what it says in `health`. */
  check(processorId: string, options?: CallOptions): Call<T.CheckProcessorData>;
  /** Ask the subscribers of a processor for another card. Mails the page of its card (`/card/…`) for each subscription that is charged over it, once a week at most. What is given there is kept by the processor that takes new payments, and charged from then on. */
  inviteCards(processorId: string, options?: CallOptions): Call<T.InviteProcessorCardsData>;
  /** List what a processor has told, newest first. What is done is kept for 30 days, what is parked for good. */
  events(processorId: string, query?: T.ListProcessorEventsQuery, options?: CallOptions): Listing<T.ProcessorEvent>;
  /** Read once more what a processor has told. Whatever became of it before. Nothing is done twice by it: what it is about is looked at. */
  retryEvent(processorId: string, processorEventId: string, options?: CallOptions): Call<T.RetryProcessorEventData>;
  /** List what comparing a processor's books with yours has found, newest first */
  reports(processorId: string, query?: T.ListProcessorReportsQuery, options?: CallOptions): Listing<T.ProcessorReport>;
  /** Compare a processor's books with yours. As is done every day by itself: what is behind here is brought up, what was given back there is imported, and what only you can explain is reported. */
  reconcile(processorId: string, body: T.ReconcileProcessorBody, options?: CallOptions): Call<T.ReconcileProcessorData>;
  /** Acknowledge what a report has found. Once you have seen to it. Nothing is changed by it but that nobody is asked to look any more. */
  acknowledgeReport(processorId: string, reportId: string, body: T.AcknowledgeProcessorReportBody, options?: CallOptions): Call<T.AcknowledgeProcessorReportData>;
}
export interface WithdrawalsResource {
  /** List withdrawals, newest first */
  list(query?: T.ListWithdrawalsQuery, options?: CallOptions): Listing<T.Withdrawal>;
  /** Get a withdrawal */
  get(withdrawalId: string, options?: CallOptions): Call<T.GetWithdrawalData>;
  /** Accept or refuse a withdrawal. Accepted, a subscription ends, what was bought is taken back, and what was paid goes back with a credit note: all of it, less what was used where the buyer agreed to an early start, or `amount`. The buyer is mailed either way. */
  decide(withdrawalId: string, body: T.DecideWithdrawalBody, options?: CallOptions): Call<T.DecideWithdrawalData>;
}
export interface CancellationNoticesResource {
  /** List cancellation notices, newest first */
  list(query?: T.ListCancellationNoticesQuery, options?: CallOptions): Listing<T.CancellationNotice>;
  /** Get a cancellation notice */
  get(noticeId: string, options?: CallOptions): Call<T.GetCancellationNoticeData>;
  /** Accept or refuse a cancellation notice. Accepted for cause the contract ends now, else with its interval or as the notice asks. The buyer is mailed. */
  decide(noticeId: string, body: T.DecideCancellationNoticeBody, options?: CallOptions): Call<T.DecideCancellationNoticeData>;
}
export interface InvoicesResource {
  /** List invoices and credit notes, newest first */
  list(query?: T.ListInvoicesQuery, options?: CallOptions): Listing<T.Invoice>;
  /** Get an invoice or a credit note by its id or number */
  get(invoiceIdOrNumber: string, options?: CallOptions): Call<T.GetInvoiceData>;
}
export interface SubscriptionsResource {
  /** List subscriptions, newest first unless sorted */
  list(query?: T.ListSubscriptionsQuery, options?: CallOptions): Listing<T.ListedSubscription>;
  /** Get a subscription */
  get(subscriptionId: string, options?: CallOptions): Call<T.GetSubscriptionData>;
  /** Cancel a subscription, now or with its interval. At once unless `endInterval` is chosen; that can be taken back by an update until the interval ends. Money is given back only with `refund`, which needs the right to refund too (of a key pair `orders:write`). */
  cancel(subscriptionId: string, body?: T.CancelSubscriptionBody, options?: CallOptions): Call<T.CancelSubscriptionData>;
  /** Show what ending a subscription now would give back. Decided as with `refund` itself; nothing is written. */
  previewCancel(subscriptionId: string, options?: CallOptions): Call<T.PreviewCancelData>;
  /** Pause the collection of a subscription. Periods go by without a charge; `invoicingBehavior` says what becomes of their payments. */
  pause(subscriptionId: string, body?: T.PauseSubscriptionBody, options?: CallOptions): Call<T.PauseSubscriptionData>;
  /** Resume a paused subscription. Drafts are charged, oldest first. A decline is a result: the subscription is past due then. */
  resume(subscriptionId: string, body?: T.ResumeSubscriptionBody, options?: CallOptions): Call<T.ResumeSubscriptionData>;
  /** End the trial of a subscription now. Its first interval begins and is charged. A decline is a result, not an error. */
  endTrial(subscriptionId: string, options?: CallOptions): Call<T.EndTrialData>;
  /** Create a subscription for a user with a stored payment method. Charged at once, or put into its trial. A decline, a needed authentication and an unknown outcome are results: 200 with order and payment as they stand. */
  create(body?: T.CreateSubscriptionBody, options?: CallOptions): Call<T.CreateSubscriptionData>;
  /** Change a subscription's items, how it is billed, or whether it ends with its period. `items` is the new full set. With `always_invoice`, and with another interval, the change holds once its payment is PAID. `billingDetails` (missing fields stay, null unsets one) and `paymentMethodId` are of this subscription alone: its renewals, their tax and invoices take them. A new method is tried at once where something is owed. */
  update(subscriptionId: string, body?: T.UpdateSubscriptionBody, options?: CallOptions): Call<T.UpdateSubscriptionData>;
  /** Show what an update would cost, by the code that makes it */
  previewUpdate(subscriptionId: string, body?: T.PreviewSubscriptionUpdateBody, options?: CallOptions): Call<T.PreviewSubscriptionUpdateData>;
  /** Charge something once, beside the schedule */
  charge(subscriptionId: string, body?: T.ChargeSubscriptionBody, options?: CallOptions): Call<T.ChargeSubscriptionData>;
  /** Show the next new payment of a subscription. Null when nothing will be charged. What waits and what is carried over is in it. */
  upcomingPayment(subscriptionId: string, options?: CallOptions): Call<T.GetUpcomingPaymentData>;
}
export interface ImportsResource {
  /** Upload what another service holds, and have it planned. The body is JSON Lines, each line an `ImportLine`: first `{"kind":"meta","format":"counterfoil-import","version":1,"source":"…"}`, then products, variants, offers, discounts, customers, payment methods, keys, purchases and subscriptions, in any order. It is read as it comes, up to `UPLOAD_MAX_MB`. Nothing is brought in: the plan says what a commit would do. A file that is sent again changes nothing that has not changed. */
  create(input: UploadInput, options?: CallOptions): Call<T.CreateImportData>;
  /** List imports, newest first. What was never committed is let go of after some days. */
  list(query?: T.ListImportsQuery, options?: CallOptions): Listing<T.ListedImport>;
  /** Get an import with its plan */
  get(importId: string, query?: T.GetImportQuery, options?: CallOptions): Call<T.GetImportData>;
  /** Bring in what was planned. Does just what the plan of this hash says, else 409 `plan_changed`, and the plan is made anew. It goes on after the answer, in batches, until the import is `committed`. What was bought becomes paid orders of 0; subscriptions wait until they are activated. In test mode `rehearse` tries it all: then the answer comes when the clock has moved. */
  commit(importId: string, body: T.CommitImportBody, options?: CallOptions): Call<T.CommitImportData>;
  /** Charge imported subscriptions here from now on. Stop them where they come from first. Each is activated or refused by itself, in its own row of the answer: `too_close` (what was paid for ends within 24 hours), `paid_until_passed` (`chargeMissed` charges the running period), `payment_method_required` (`invite` mails a link that stores a card), `country_required`. */
  activate(importId: string, body?: T.ActivateImportBody, options?: CallOptions): Call<T.ActivateImportData>;
}
export interface TestPurchasesResource {
  /** Buy with a sandbox card, in test mode. A decline, a needed authentication and an unknown outcome are results: 200 with order and payment as they stand. */
  create(body: T.CreateTestPurchaseBody, options?: CallOptions): Call<T.CreateTestPurchaseData>;
}
export interface TestClockResource {
  /** Get the test clock. Test mode only. While an advance is under way, `advancingTo` says where it goes and `now` moves. */
  get(options?: CallOptions): Call<T.GetTestClockData>;
  /** Move the test clock forward. Test mode only. Give `to` or `by`, at most 5 years a call. Everything that falls due on the way is done in order, with the time of its own moment, before the call answers; meanwhile other writes are 409 `clock_advancing`. */
  advance(body?: T.AdvanceTestClockBody, options?: CallOptions): Call<T.AdvanceTestClockData>;
  /** Empty the test store and set its clock to real time. Test mode only. Deletes every object of the test store, the catalogue included; keys and settings stay. */
  reset(body: T.ResetTestClockBody, options?: CallOptions): Call<T.ResetTestClockData>;
}
export interface WebhooksResource {
  /** List webhooks, newest first */
  list(query?: T.ListWebhooksQuery, options?: CallOptions): Listing<T.Webhook>;
  /** Send a made-up event to the webhooks that hear its type */
  sendTest(body?: T.SendTestEventBody, options?: CallOptions): Call<T.SendTestEventData>;
  /** Get a webhook */
  get(webhookId: string, options?: CallOptions): Call<T.GetWebhookData>;
  /** List delivery attempts, newest first */
  attempts(webhookId: string, query?: T.ListWebhookAttemptsQuery, options?: CallOptions): Listing<T.WebhookAttempt>;
  /** Create a webhook. At most 10 unarchived webhooks per workspace and mode. No request is sent to the URL. */
  create(body: T.CreateWebhookBody, options?: CallOptions): Call<T.CreateWebhookData>;
  /** Change a webhook. Missing fields stay as they are. Waiting deliveries go to the new URL with the new secret. */
  update(webhookId: string, body?: T.UpdateWebhookBody, options?: CallOptions): Call<T.UpdateWebhookData>;
  /** Archive a webhook. Nothing more is sent, and what waits is dropped. */
  archive(webhookId: string, options?: CallOptions): Call<T.ArchiveWebhookData>;
  /** Take a webhook back from the archive. It hears what happens from now on; what waited when it was archived is not sent. */
  unarchive(webhookId: string, options?: CallOptions): Call<T.UnarchiveWebhookData>;
  /** Give a webhook a new secret. For 24 hours both secrets sign: `webhook-signature` carries two values, `x-svc-signature` is made with the new one on even tries and with the old one on odd ones. A second rotation in that time makes the first one’s the old one. Without `secret` one is generated. */
  rotateSecret(webhookId: string, body?: T.RotateWebhookSecretBody, options?: CallOptions): Call<T.RotateWebhookSecretData>;
  /** Send a webhook all events again since a time. Each is a new delivery, also of events from a time when the webhook was inactive. */
  resend(webhookId: string, body: T.ResendWebhookEventsBody, options?: CallOptions): Call<T.ResendWebhookEventsData>;
  /** List the deliveries of a webhook with their attempts, newest first */
  deliveries(webhookId: string, query?: T.ListWebhookDeliveriesQuery, options?: CallOptions): Listing<T.WebhookDelivery>;
  /** Show the secret of a webhook. Noted in the audit log; 100 reveals an hour. */
  revealSecret(webhookId: string, options?: CallOptions): Call<T.RevealWebhookSecretData>;
}
export interface ListenersResource {
  /** Create a listener: a webhook without an address. A machine without a public address asks for its deliveries by `next`. At most 5 per workspace and mode; it ends 24 hours after the last `next`, and what waits then is dropped. */
  create(body: T.CreateListenerBody, options?: CallOptions): Call<T.CreateListenerData>;
  /** Take what a listener is to hear. Answers as soon as there is something, or empty after `wait`. What was taken is handed out anew after 60 seconds without a report. Takes no Idempotency-Key. */
  next(listenerId: string, body?: T.NextDeliveriesBody, options?: CallOptions): Call<T.NextDeliveriesData>;
  /** Say what became of deliveries that were taken. Each result is an attempt: a 2xx delivers, all else fails. A delivery that has ended stays as it is, so that a report may be sent again. Takes no Idempotency-Key. */
  report(listenerId: string, body: T.ReportDeliveriesBody, options?: CallOptions): Call<T.ReportDeliveriesData>;
}
export interface EventsResource {
  /** List events, newest first */
  list(query?: T.ListEventsQuery, options?: CallOptions): Listing<T.ListedEvent | T.ListedExpiredEvent>;
  /** Get an event */
  get(eventId: string, options?: CallOptions): Call<T.GetEventData>;
  /** Send an event again. A new delivery with attempts of its own; the body, id and idempotencyKey are as before. */
  resend(eventId: string, body?: T.ResendEventBody, options?: CallOptions): Call<T.ResendEventData>;
  /** List the deliveries of an event with their attempts, newest first */
  deliveries(eventId: string, query?: T.ListEventDeliveriesQuery, options?: CallOptions): Listing<T.WebhookDelivery>;
}
export interface MailsResource {
  /** List mails, newest first */
  list(query?: T.ListMailsQuery, options?: CallOptions): Listing<T.Mail>;
  /** Get a mail */
  get(mailId: string, options?: CallOptions): Call<T.GetMailData>;
  /** Send a mail again. A new mail of the same matter, written anew; one about a sale goes to the address that its buyer has now. A mail that lets its reader in is not sent again. */
  resend(mailId: string, options?: CallOptions): Call<T.ResendMailData>;
}
export interface UsersResource {
  /** List users, newest first */
  list(query?: T.ListUsersQuery, options?: CallOptions): Listing<T.ListedUser>;
  /** Get a user */
  get(userId: string, options?: CallOptions): Call<T.GetUserData>;
  /** List what a user has access to, newest first. What was bought and paid, as long as it is the user’s: what was taken back is left out, and so is a subscription that has ended, is unpaid or past its grace, or whose payment is disputed. An `expiresAfter` that lies behind shows again what ended since. Keys are whole only where the secret key is sent. */
  inventory(userId: string, query?: T.ListInventoryQuery, options?: CallOptions): Listing<T.InventoryItem>;
  /** Create a user. An e-mail has one user, whatever its case, also one that a purchase made. */
  create(body: T.CreateUserBody, options?: CallOptions): Call<T.CreateUserData>;
  /** Change a user. Missing fields stay as they are, also within `billingDetails` and `paymentData`; null unsets a field. What is said of `billingDetails` is said of each of the user’s subscriptions that has not ended, too. A new card is charged for these from now on, and at once for what they owe. */
  update(userId: string, body?: T.UpdateUserBody, options?: CallOptions): Call<T.UpdateUserData>;
  /** Archive a user */
  archive(userId: string, options?: CallOptions): Call<T.ArchiveUserData>;
  /** Take a user back from the archive */
  unarchive(userId: string, options?: CallOptions): Call<T.UnarchiveUserData>;
  /** Agree that a user is erased. Where the user has not asked for it in the portal they have by letter, and this makes the request, too. After 14 days the user goes out of all rows but orders, documents and the ledger; events that tell of them are not sent again. The same call again changes nothing. */
  acceptDeletion(userId: string, options?: CallOptions): Call<T.AcceptUserDeletionData>;
}
export interface PortalSessionsResource {
  /** Open the portal for a buyer who is signed in to your own site. Of `userId`, `internalId` and `email` exactly one. `url` opens once within 10 minutes, for a session of 60; `token` is a bearer for pages of your own. Neither lets the buyer change e-mail or password, take an export or be erased. */
  create(body?: T.CreatePortalSessionBody, options?: CallOptions): Call<T.CreatePortalSessionData>;
  /** End a session that you opened for a buyer. Its link, its bearer, and the browser that opened it. The same call again changes nothing. */
  revoke(portalSessionId: string, options?: CallOptions): Call<T.RevokePortalSessionData>;
}
export interface TaxResource {
  /** Compute price and tax of a purchase before it is made. The sums are those that a checkout would show this buyer now. Items that name the same offer or product at the same price are one line. Nothing is written, and the public key is enough. */
  calculate(body: T.CalculateTaxBody, options?: CallOptions): Call<T.CalculateTaxData>;
  /** List the rates of tax that hold at a moment, with their sources and the store’s own beside them */
  rates(query?: T.ListTaxRatesQuery, options?: CallOptions): Listing<T.TaxTableRate>;
  /** Sum up the tax that was taken in a window, by currency, country and rate. By the documents of the window: credit notes take away what invoices added. The sum of `tax` is the figure `taxCollected`. */
  summary(query: T.GetTaxSummaryQuery, options?: CallOptions): Call<T.GetTaxSummaryData>;
  /** List from how much on a seller must register somewhere, beside the sales that count. Each with the day from which it holds and its source. Sales are those of the figures, net of tax and refunds; those to businesses are among them although some schemes leave them out, so that a seller hears too early rather than too late. Nothing is converted: what was sold in another currency stands beside the ratio and is not in it. The states of the US, whose thresholds are their own, are not among them. */
  thresholds(options?: CallOptions): Call<T.ListTaxThresholdsData>;
}
export interface SettingsResource {
  /** Get the settings of this mode */
  get(options?: CallOptions): Call<T.GetSettingsData>;
  /** Change settings of this mode. Missing fields stay as they are, also within `seller` and `dunning`; lists are replaced whole. A change counts from the next request on. */
  update(body?: T.UpdateSettingsBody, options?: CallOptions): Call<T.UpdateSettingsData>;
}
export interface LedgerResource {
  /** List the balance of each account and currency */
  balances(options?: CallOptions): Call<T.ListLedgerBalancesData>;
  /** Recompute every balance from payments, refunds and disputes, and list the differences */
  proof(options?: CallOptions): Call<T.ProveLedgerData>;
  /** List the lines of the ledger, newest first. `take` and `count` are of movements, which a page holds whole: each has a line for every account that it touches, of which those that the filter lets through are shown. */
  entries(query?: T.ListLedgerEntriesQuery, options?: CallOptions): Listing<T.LedgerEntry>;
}
export interface ReportsResource {
  /** Show every figure of a window, beside the one that it is compared with */
  overview(query: T.GetReportOverviewQuery, options?: CallOptions): Call<T.GetReportOverviewData>;
  /** Show figures by hours, days, weeks or months. Buckets follow the calendar of the zone: a day on which clocks are put forward has 23 hours. */
  timeseries(query: T.GetReportTimeseriesQuery, options?: CallOptions): Call<T.GetReportTimeseriesData>;
  /** List the rows that a figure is the sum of, newest first. Rows of a ratio name the part that they belong to, the numerator first. Rows of a level are what it stands for at the end of the window. */
  rows(query: T.ListReportRowsQuery, options?: CallOptions): Call<T.ListReportRowsData>;
  /** Show what became of checkouts. By the UTC day on which a page was first looked at, of all days that the window touches. A checkout is viewed when its page was in sight for a second, started at the first valid e-mail address. Nothing is stored in the browser for it. */
  checkouts(query: T.GetCheckoutReportQuery, options?: CallOptions): Call<T.GetCheckoutReportData>;
  /** List how each figure is computed */
  definitions(options?: CallOptions): Call<T.ListReportDefinitionsData>;
}
export interface TimelineResource {
  /** List all that happened around an order, newest first. Events and their deliveries, charges, refunds, disputes, mails, writes of the API and notes, as far as whoever asks may read each. Of a subscription or a user the newest hundred payments and orders are looked at. */
  order(orderIdOrNumber: string, query?: T.GetOrderTimelineQuery, options?: CallOptions): Listing<T.TimelineEntry>;
  /** List all that happened around a payment, newest first. Events and their deliveries, charges, refunds, disputes, mails, writes of the API and notes, as far as whoever asks may read each. Of a subscription or a user the newest hundred payments and orders are looked at. */
  payment(paymentId: string, query?: T.GetPaymentTimelineQuery, options?: CallOptions): Listing<T.TimelineEntry>;
  /** List all that happened around a subscription, newest first. Events and their deliveries, charges, refunds, disputes, mails, writes of the API and notes, as far as whoever asks may read each. Of a subscription or a user the newest hundred payments and orders are looked at. */
  subscription(subscriptionId: string, query?: T.GetSubscriptionTimelineQuery, options?: CallOptions): Listing<T.TimelineEntry>;
  /** List all that happened around a user, newest first. Events and their deliveries, charges, refunds, disputes, mails, writes of the API and notes, as far as whoever asks may read each. Of a subscription or a user the newest hundred payments and orders are looked at. */
  user(userId: string, query?: T.GetUserTimelineQuery, options?: CallOptions): Listing<T.TimelineEntry>;
}
export interface NotesResource {
  /** Add a note to an order, a payment, a subscription or a user */
  create(body: T.CreateNoteBody, options?: CallOptions): Call<T.CreateNoteData>;
  /** Delete a note of one’s own, or of an object that one may change */
  delete(noteId: string, options?: CallOptions): Call<T.DeleteNoteData>;
}
export interface ViewsResource {
  /** List one’s own views and those that are shared, newest first. Of lists that whoever asks may read. */
  list(query?: T.ListViewsQuery, options?: CallOptions): Listing<T.View>;
  /** Save a view of a list */
  create(body: T.CreateViewBody, options?: CallOptions): Call<T.CreateViewData>;
  /** Change a view. Missing fields stay as they are. */
  update(viewId: string, body?: T.UpdateViewBody, options?: CallOptions): Call<T.UpdateViewData>;
  /** Delete a view */
  delete(viewId: string, options?: CallOptions): Call<T.DeleteViewData>;
}
export interface ApiKeysResource {
  /** List key pairs, newest first. A key pair needs the scope `api-keys:read`. */
  list(query?: T.ListApiKeysQuery, options?: CallOptions): Listing<T.ApiKey>;
  /** Create a key pair. Nobody gives a pair more than they may do themselves; Owner and Admin alone leave `scopes` out. At most 50 pairs a store. */
  create(body: T.CreateApiKeyBody, options?: CallOptions): Call<T.NewApiKeyData>;
  /** Let a new pair take over from an old one. The new pair is narrowed as the old one, which keeps working for `graceHours`. */
  roll(apiKeyId: string, body?: T.RollApiKeyBody, options?: CallOptions): Call<T.NewApiKeyData>;
  /** Change a key pair. Missing fields stay as they are. It holds within 5 seconds. */
  update(apiKeyId: string, body?: T.UpdateApiKeyBody, options?: CallOptions): Call<T.UpdateApiKeyData>;
  /** Revoke a key pair. It stops working within 5 seconds, for good. */
  revoke(apiKeyId: string, options?: CallOptions): Call<T.RevokeApiKeyData>;
}
export interface RequestLogResource {
  /** List requests of the last 7 days, newest first. In test mode all requests of key pairs, in live mode their writes and refusals; of the dashboard writes and refusals. At most 20,000 rows and 50 MB a store. A key pair needs the scope `request-log:read`. */
  list(query?: T.ListRequestsQuery, options?: CallOptions): Listing<T.LoggedRequest>;
}
export interface AuditLogResource {
  /** List what was done in the workspace, newest first. Of both stores, of the workspace as a whole, what its members did to their accounts, and when the operator held the installation and let it go. A key pair needs the scope `audit-log:read`. */
  list(query?: T.ListAuditEntriesQuery, options?: CallOptions): Listing<T.AuditEntry>;
}
export interface MembersResource {
  /** List the members of the workspace, newest first. A key pair needs the scope `members:read`. */
  list(query?: T.ListMembersQuery, options?: CallOptions): Listing<T.Member>;
}
export interface InvitationsResource {
  /** List invitations, newest first. Those that are open, unless the others are asked for. A key pair needs the scope `members:read`. */
  list(query?: T.ListInvitationsQuery, options?: CallOptions): Listing<T.Invitation>;
}
export interface ExportsResource {
  /** List exports that are under way or kept, newest first. Those of lists that whoever asks may read. */
  list(query?: T.ListExportsQuery, options?: CallOptions): Listing<T.Export>;
  /** Get an export, with a new link where its file is done */
  get(exportId: string, options?: CallOptions): Call<T.GetExportData>;
  /** Begin to write a list, a store or what is kept of a user to a file. The file has the rows that the list has for the same query; its times are UTC. In a CSV the columns are called by the API’s paths: beside an amount in minor units stands the same in major ones (`value`, `value_major`), beside a moment in ms the same in ISO 8601 (`createdAt`, `createdAt_utc`), and a text that a spreadsheet would run as a formula begins with an apostrophe. NDJSON has the API’s rows. The right to read the list is needed, too; a session needs a fresh proof for users and mails, and for the archives that kinds `store` and `user` are: a tar.gz with `header.json`, `rows/`, `objects/`, `files/` and `documents/` of a store as it was at one moment, without secrets unless it is sealed for `recipients` of age, or with `user.json` and `documents/` of a user, and `manifest.json` with the hash of each part. A store is the Owner’s to take, or a pair’s that names `store-export`; a user whoever’s may change users. Three may be under way, and the newest twenty are kept 7 days. */
  create(body: T.CreateExportBody, options?: CallOptions): Call<T.CreateExportData>;
  /** Stop an export that is under way */
  cancel(exportId: string, options?: CallOptions): Call<T.CancelExportData>;
}
export interface ChangesResource {
  /** List what has changed since a cursor. Writes of the API and events, in the order in which they were written. Shows only what whoever asks may read. Without a cursor it answers none and the cursor of now. */
  list(query?: T.ListChangesQuery, options?: CallOptions): Call<T.ListChangesData>;
}
export interface Resources extends RootMethods {
  readonly products: ProductsResource;
  readonly variants: VariantsResource;
  readonly plans: PlansResource;
  readonly offers: OffersResource;
  readonly offerKeys: OfferKeysResource;
  readonly discounts: DiscountsResource;
  readonly checkoutElements: CheckoutElementsResource;
  readonly checkoutSessions: CheckoutSessionsResource;
  readonly customFields: CustomFieldsResource;
  readonly files: FilesResource;
  readonly orders: OrdersResource;
  readonly payments: PaymentsResource;
  readonly charges: ChargesResource;
  readonly refunds: RefundsResource;
  readonly disputes: DisputesResource;
  readonly processors: ProcessorsResource;
  readonly withdrawals: WithdrawalsResource;
  readonly cancellationNotices: CancellationNoticesResource;
  readonly invoices: InvoicesResource;
  readonly subscriptions: SubscriptionsResource;
  readonly imports: ImportsResource;
  readonly testPurchases: TestPurchasesResource;
  readonly testClock: TestClockResource;
  readonly webhooks: WebhooksResource;
  readonly listeners: ListenersResource;
  readonly events: EventsResource;
  readonly mails: MailsResource;
  readonly users: UsersResource;
  readonly portalSessions: PortalSessionsResource;
  readonly tax: TaxResource;
  readonly settings: SettingsResource;
  readonly ledger: LedgerResource;
  readonly reports: ReportsResource;
  readonly timeline: TimelineResource;
  readonly notes: NotesResource;
  readonly views: ViewsResource;
  readonly apiKeys: ApiKeysResource;
  readonly requestLog: RequestLogResource;
  readonly auditLog: AuditLogResource;
  readonly members: MembersResource;
  readonly invitations: InvitationsResource;
  readonly exports: ExportsResource;
  readonly changes: ChangesResource;
}

/** By name: method, path, what it takes (q query, b body, i body with the id, l list of what, u upload, n nothing), and its time-out in ms. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  'whoami': 'GET /v0/whoami n',
  'products.list': 'GET /v0/products/list l:products',
  'products.get': 'GET /v0/products/{} n',
  'products.create': 'POST /v0/products/create b',
  'products.update': 'PATCH /v0/products/{}/update b',
  'products.archive': 'PATCH /v0/products/{}/archive n',
  'products.unarchive': 'PATCH /v0/products/{}/unarchive b',
  'products.duplicate': 'POST /v0/products/{}/duplicate n',
  'variants.add': 'POST /v0/products/{}/variants/add b',
  'variants.update': 'PATCH /v0/products/{}/variants/{}/update b',
  'variants.archive': 'PATCH /v0/products/{}/variants/{}/archive i',
  'variants.unarchive': 'PATCH /v0/products/{}/variants/{}/unarchive n',
  'plans.add': 'POST /v0/products/{}/plans/add b',
  'plans.update': 'PATCH /v0/products/{}/plans/{}/update b',
  'plans.archive': 'PATCH /v0/products/{}/plans/{}/archive i',
  'plans.unarchive': 'PATCH /v0/products/{}/plans/{}/unarchive n',
  'offers.list': 'GET /v0/offers/list l:offers',
  'offers.get': 'GET /v0/offers/{} n',
  'offers.create': 'POST /v0/offers/create b',
  'offers.update': 'PATCH /v0/offers/{}/update b',
  'offers.archive': 'PATCH /v0/offers/{}/archive n',
  'offers.unarchive': 'PATCH /v0/offers/{}/unarchive n',
  'offerKeys.list': 'GET /v0/offers/{}/keys/list l:keys',
  'offerKeys.add': 'POST /v0/offers/{}/keys/add b',
  'offerKeys.removeUnsold': 'DELETE /v0/offers/{}/keys/{}/removeUnsold n',
  'offerKeys.removeAllUnsold': 'DELETE /v0/offers/{}/keys/removeAllUnsold n',
  'discounts.list': 'GET /v0/discounts/list l:discounts',
  'discounts.get': 'GET /v0/discounts/{} n',
  'discounts.create': 'POST /v0/discounts/create b',
  'discounts.update': 'PATCH /v0/discounts/{}/update b',
  'discounts.archive': 'PATCH /v0/discounts/{}/archive n',
  'discounts.unarchive': 'PATCH /v0/discounts/{}/unarchive n',
  'checkoutElements.list': 'GET /v0/elements/checkout/list l:checkoutElements',
  'checkoutElements.get': 'GET /v0/elements/checkout/{} n',
  'checkoutElements.create': 'POST /v0/elements/checkout/create b',
  'checkoutElements.update': 'PATCH /v0/elements/checkout/{}/update b',
  'checkoutElements.archive': 'PATCH /v0/elements/checkout/{}/archive n',
  'checkoutElements.unarchive': 'PATCH /v0/elements/checkout/{}/unarchive n',
  'checkoutSessions.create': 'POST /v0/checkout-sessions/create b',
  'checkoutSessions.get': 'GET /v0/checkout-sessions/{} n',
  'checkoutSessions.expire': 'PATCH /v0/checkout-sessions/{}/expire n',
  'customFields.list': 'GET /v0/custom-fields/list l:customFields',
  'customFields.create': 'POST /v0/custom-fields/create b',
  'customFields.update': 'PATCH /v0/custom-fields/{}/update b',
  'customFields.archive': 'PATCH /v0/custom-fields/{}/archive n',
  'customFields.unarchive': 'PATCH /v0/custom-fields/{}/unarchive n',
  'files.list': 'GET /v0/files/list l:files',
  'files.upload': 'POST /v0/files/upload u 0',
  'orders.list': 'GET /v0/orders/list l:orders',
  'orders.get': 'GET /v0/orders/{} n',
  'orders.update': 'PATCH /v0/orders/{}/update b',
  'orders.cancel': 'PATCH /v0/orders/{}/cancel n',
  'orders.refund': 'POST /v0/orders/{}/refunds b',
  'orders.revealKeys': 'POST /v0/orders/{}/reveal-keys n',
  'orders.resetDownloads': 'POST /v0/orders/{}/items/{}/reset-downloads n',
  'payments.list': 'GET /v0/payments/list l:payments',
  'payments.get': 'GET /v0/payments/{} n',
  'payments.cancel': 'POST /v0/payments/{}/cancel n',
  'payments.receive': 'POST /v0/payments/{}/receive b',
  'charges.accept': 'POST /v0/charges/{}/accept b',
  'charges.return': 'POST /v0/charges/{}/return b',
  'refunds.list': 'GET /v0/refunds/list l:refunds',
  'orders.previewRefund': 'GET /v0/orders/{}/refunds/preview q',
  'refunds.settle': 'POST /v0/refunds/{}/settle b',
  'disputes.list': 'GET /v0/disputes/list l:disputes',
  'disputes.get': 'GET /v0/disputes/{} n',
  'processors.list': 'GET /v0/processors/list n',
  'processors.get': 'GET /v0/processors/{} n',
  'processors.connect': 'POST /v0/processors/connect b',
  'processors.update': 'PATCH /v0/processors/{}/update b',
  'processors.archive': 'PATCH /v0/processors/{}/archive b',
  'processors.rotateCredentials': 'POST /v0/processors/{}/rotateCredentials b',
  'processors.rotateWebhook': 'POST /v0/processors/{}/rotateWebhook n',
  'processors.check': 'POST /v0/processors/{}/check n',
  'processors.inviteCards': 'POST /v0/processors/{}/invite-cards n',
  'processors.events': 'GET /v0/processors/{}/events/list l:processorEvents',
  'processors.retryEvent': 'POST /v0/processors/{}/events/{}/retry n',
  'processors.reports': 'GET /v0/processors/{}/reports/list l:reports',
  'processors.reconcile': 'POST /v0/processors/{}/reconcile b',
  'processors.acknowledgeReport': 'POST /v0/processors/{}/reports/{}/acknowledge b',
  'withdrawals.list': 'GET /v0/withdrawals/list l:withdrawals',
  'withdrawals.get': 'GET /v0/withdrawals/{} n',
  'withdrawals.decide': 'PATCH /v0/withdrawals/{}/decide b',
  'cancellationNotices.list': 'GET /v0/cancellation-notices/list l:notices',
  'cancellationNotices.get': 'GET /v0/cancellation-notices/{} n',
  'cancellationNotices.decide': 'PATCH /v0/cancellation-notices/{}/decide b',
  'invoices.list': 'GET /v0/invoices/list l:invoices',
  'invoices.get': 'GET /v0/invoices/{} n',
  'subscriptions.list': 'GET /v0/subscriptions/list l:subscriptions',
  'subscriptions.get': 'GET /v0/subscriptions/{} n',
  'subscriptions.cancel': 'PATCH /v0/subscriptions/{}/cancel b',
  'subscriptions.previewCancel': 'GET /v0/subscriptions/{}/cancel/preview n',
  'subscriptions.pause': 'PATCH /v0/subscriptions/{}/pauseCollection b',
  'subscriptions.resume': 'PATCH /v0/subscriptions/{}/resume b',
  'subscriptions.endTrial': 'POST /v0/subscriptions/{}/end-trial n',
  'subscriptions.create': 'POST /v0/subscriptions/create b',
  'subscriptions.update': 'PATCH /v0/subscriptions/{}/update b',
  'subscriptions.previewUpdate': 'POST /v0/subscriptions/{}/preview-update b',
  'subscriptions.charge': 'POST /v0/subscriptions/{}/charge b',
  'subscriptions.upcomingPayment': 'GET /v0/subscriptions/{}/upcoming-payment n',
  'imports.create': 'POST /v0/imports/create u 0',
  'imports.list': 'GET /v0/imports/list l:imports',
  'imports.get': 'GET /v0/imports/{} q',
  'imports.commit': 'POST /v0/imports/{}/commit b 600000',
  'imports.activate': 'POST /v0/imports/{}/activate b 600000',
  'testPurchases.create': 'POST /v0/test-purchases/create b',
  'testClock.get': 'GET /v0/test-clock n',
  'testClock.advance': 'POST /v0/test-clock/advance b 600000',
  'testClock.reset': 'POST /v0/test-clock/reset b',
  'webhooks.list': 'GET /v0/webhooks/list l:webhooks',
  'webhooks.sendTest': 'POST /v0/webhooks/sendTestEvent b',
  'webhooks.get': 'GET /v0/webhooks/{} n',
  'webhooks.attempts': 'GET /v0/webhooks/{}/attempts l:attempts',
  'webhooks.create': 'POST /v0/webhooks/create b',
  'webhooks.update': 'PATCH /v0/webhooks/{}/update b',
  'webhooks.archive': 'PATCH /v0/webhooks/{}/archive n',
  'webhooks.unarchive': 'PATCH /v0/webhooks/{}/unarchive n',
  'webhooks.rotateSecret': 'POST /v0/webhooks/{}/rotateSecret b',
  'webhooks.resend': 'POST /v0/webhooks/{}/resend b',
  'listeners.create': 'POST /v0/listeners/create b',
  'listeners.next': 'POST /v0/listeners/{}/next b 35000',
  'listeners.report': 'POST /v0/listeners/{}/report b',
  'events.list': 'GET /v0/events/list l:events',
  'events.get': 'GET /v0/events/{} n',
  'events.resend': 'POST /v0/events/{}/resend b',
  'webhooks.deliveries': 'GET /v0/webhooks/{}/deliveries l:deliveries',
  'events.deliveries': 'GET /v0/events/{}/deliveries l:deliveries',
  'webhooks.revealSecret': 'POST /v0/webhooks/{}/reveal-secret n',
  'mails.list': 'GET /v0/mails/list l:mails',
  'mails.get': 'GET /v0/mails/{} n',
  'mails.resend': 'POST /v0/mails/{}/resend n',
  'users.list': 'GET /v0/users/list l:users',
  'users.get': 'GET /v0/users/{} n',
  'users.inventory': 'GET /v0/users/{}/inventory l:inventory',
  'users.create': 'POST /v0/users/create b',
  'users.update': 'PATCH /v0/users/{}/update b',
  'users.archive': 'PATCH /v0/users/{}/archive n',
  'users.unarchive': 'PATCH /v0/users/{}/unarchive n',
  'users.acceptDeletion': 'POST /v0/users/{}/deletion/accept n',
  'portalSessions.create': 'POST /v0/portal-sessions/create b',
  'portalSessions.revoke': 'PATCH /v0/portal-sessions/{}/revoke n',
  'tax.calculate': 'POST /v0/tax/calculate b',
  'tax.rates': 'GET /v0/tax/rates/list l:rates',
  'tax.summary': 'GET /v0/tax/summary q',
  'tax.thresholds': 'GET /v0/tax/thresholds n',
  'settings.get': 'GET /v0/settings n',
  'settings.update': 'PATCH /v0/settings/update b',
  'ledger.balances': 'GET /v0/ledger/balances n',
  'ledger.proof': 'GET /v0/ledger/proof n',
  'ledger.entries': 'GET /v0/ledger/entries/list l:ledgerEntries',
  'reports.overview': 'GET /v0/reports/overview q',
  'reports.timeseries': 'GET /v0/reports/timeseries q',
  'reports.rows': 'GET /v0/reports/rows q',
  'reports.checkouts': 'GET /v0/reports/checkouts q',
  'reports.definitions': 'GET /v0/reports/definitions n',
  'search': 'GET /v0/search q',
  'timeline.order': 'GET /v0/timeline/orders/{} l:entries',
  'timeline.payment': 'GET /v0/timeline/payments/{} l:entries',
  'timeline.subscription': 'GET /v0/timeline/subscriptions/{} l:entries',
  'timeline.user': 'GET /v0/timeline/users/{} l:entries',
  'notes.create': 'POST /v0/notes/create b',
  'notes.delete': 'DELETE /v0/notes/{} n',
  'views.list': 'GET /v0/views/list l:views',
  'views.create': 'POST /v0/views/create b',
  'views.update': 'PATCH /v0/views/{}/update b',
  'views.delete': 'DELETE /v0/views/{} n',
  'apiKeys.list': 'GET /v0/api-keys/list l:apiKeys',
  'apiKeys.create': 'POST /v0/api-keys/create b',
  'apiKeys.roll': 'POST /v0/api-keys/{}/roll b',
  'apiKeys.update': 'PATCH /v0/api-keys/{}/update b',
  'apiKeys.revoke': 'PATCH /v0/api-keys/{}/revoke n',
  'requestLog.list': 'GET /v0/request-log/list l:requests',
  'auditLog.list': 'GET /v0/audit-log/list l:auditEntries',
  'members.list': 'GET /v0/members/list l:members',
  'invitations.list': 'GET /v0/invitations/list l:invitations',
  'exports.list': 'GET /v0/exports/list l:exports',
  'exports.get': 'GET /v0/exports/{} n',
  'exports.create': 'POST /v0/exports/create b',
  'exports.cancel': 'POST /v0/exports/{}/cancel n',
  'changes.list': 'GET /v0/changes q',
};
