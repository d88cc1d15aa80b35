/**
 * Who may import whom in `server/src`: layers are folders, and this list is their order. The first rule that
 * fits a file is its rule. Paths are relative to `server/src`.
 */

export interface ImportRule {
  /** The files that the rule is about. */
  files: RegExp;
  /** What they may import of ours, beside files of the same resource where `own` says so. */
  may: readonly RegExp[];
  /** What they may import of ours for its types alone. */
  mayForTypes?: readonly RegExp[];
  own?: boolean;
  /** The only packages and Node modules that they may import. Without it: any. */
  packages?: readonly string[];
}

export interface ImportException {
  from: string;
  to: string;
  reason: string;
}

const DOMAIN = /^domain\//;
const DB = /^db\/(?!embedded\/)/;
const CONTEXT = /^context\.ts$/;
const EVENTS = /^events\//;
const EVENT_CATALOGUE = /^events\/catalogue\.ts$/;
const JOB_CATALOGUE = /^jobs\/catalogue\.ts$/;
const QUERIES = /\.queries\.ts$/;
const SCHEMA = /\.schema\.ts$/;
const FLOWS = /^flows\//;
const HTTP = /^http\//;
const NET = /^net\//;
const PROVIDERS = /^providers\//;
const DOCUMENTS = /^documents\//;

export const RULES: readonly ImportRule[] = [
  { files: /^domain\/custom-fields\.ts$/, may: [DOMAIN], packages: ['re2js'] },
  { files: DOMAIN, may: [DOMAIN], packages: ['temporal-polyfill', 'stdnum'] },
  { files: /^config\.ts$/, may: [], packages: ['node:path'] },
  { files: CONTEXT, may: [], mayForTypes: [/^config\.ts$/, DOMAIN, DB, NET, PROVIDERS, DOCUMENTS] },
  { files: /^db\//, may: [/^db\//, DOMAIN] },
  { files: NET, may: [NET, DOMAIN] },
  { files: PROVIDERS, may: [PROVIDERS, DOMAIN] },
  { files: DOCUMENTS, may: [DOCUMENTS, DOMAIN] },
  { files: EVENT_CATALOGUE, may: [DOMAIN] },
  { files: EVENTS, may: [EVENTS, DOMAIN, DB, CONTEXT, JOB_CATALOGUE, QUERIES] },
  { files: JOB_CATALOGUE, may: [DOMAIN] },
  {
    files: /^jobs\/(worker|clock|lanes|groups|upkeep)\.ts$/,
    may: [/^jobs\/(worker|lanes|groups|upkeep)\.ts$/, DOMAIN, DB, CONTEXT, JOB_CATALOGUE, QUERIES],
  },
  { files: /^jobs\//, may: [FLOWS, JOB_CATALOGUE, DOMAIN], mayForTypes: [/^jobs\/worker\.ts$/] },
  { files: HTTP, may: [HTTP, DOMAIN, DB, CONTEXT] },
  { files: QUERIES, may: [DB, DOMAIN] },
  { files: SCHEMA, may: [SCHEMA, HTTP, DOMAIN, DB, EVENT_CATALOGUE], mayForTypes: [QUERIES] },
  {
    files: /\.service\.ts$/,
    may: [QUERIES, SCHEMA, DOMAIN, DB, EVENTS, JOB_CATALOGUE, CONTEXT, NET],
    own: true,
  },
  { files: FLOWS, may: [QUERIES, SCHEMA, DOMAIN, DB, EVENTS, JOB_CATALOGUE, CONTEXT, NET, PROVIDERS] },
  // Routes, pages and what they are made of.
  {
    files: /^resources\//,
    may: [QUERIES, SCHEMA, FLOWS, HTTP, DOMAIN, CONTEXT, DB],
    mayForTypes: [PROVIDERS],
    own: true,
  },
  { files: /^main\//, may: [/./] },
];

/** Flows that are steps of other flows. Whatever imports one of them says so here, by being listed. */
export const SHARED_FLOWS: Readonly<Record<string, string>> = {
  'load-sale.ts': 'the one reading of an order with all that belongs to it, as events and answers show it',
  'ask-tax-number.ts': 'the number is asked for alike, by a page, an operation and a renewal',
  'quote-checkout.ts': 'the one price: page, purchase and preview must not differ',
  'hold-for-order.ts': 'taking and giving back stock and limits is one matter',
  'order-rows.ts': 'a shown purchase and a made one are the same rows',
  'place-order.ts': 'the first try and a second card place the same order',
  'compose-interval.ts': 'the one price of a period: renewal, change of plan and preview must not differ',
  'write-later-payment.ts': 'renewals, changes of plan and extra charges write the same rows',
  'apply-plan-change.ts': 'a plan takes effect when it is asked for, paid for, or at a boundary',
  'quote-plan-change.ts': 'the preview of a change of plan is the change, stopped before it is written',
  'show-upcoming-payment.ts': 'what comes next, as things are and as a change would make them',
  'resolve-items.ts': 'lines of a request become items alike, to recur or to be charged once',
  'place-subscription.ts': 'a part of creating a subscription: its first transaction',
  'write-subscription.ts': 'a part of placing an order',
  'charge-payment.ts': 'charged by a buyer, and again by the watch over orders',
  'cancel-charge.ts': 'used by a buyer who pays otherwise, and by the watch over orders',
  'settle-payment.ts': 'every outcome of a charge ends here, whoever asked for it',
  'settle-initial.ts': 'a part of settling: payments that carry an order',
  'settle-later.ts': 'a part of settling: payments of a subscription after its first',
  'schedule-subscription.ts': 'whatever changes a subscription puts down its next moment',
  'tell-subscription.ts': 'the one event of a change that no payment made',
  'charge-subscription.ts':
    'renewals, retries, plan changes and extra charges charge the stored method alike',
  'renew-subscription.ts': 'a step of a subscription: by itself, or when its trial is ended',
  'collect-owed.ts': 'a step of a subscription: retries and the end of a pause',
  'give-up-subscription.ts': 'the end of a dunning run, by a charge or by a day without one',
  'end-subscription.ts': 'the one end of a subscription, whoever asked for it',
  'lock-subscription-for.ts': 'the one question whether a subscription allows what is asked of it',
  'pay-debt.ts': 'the page shows what paying would charge',
  'collect-now.ts': 'a new card pays what is owed, whether kept by the API or typed on the page',
  'advance-subscription.ts': 'the steps of a subscription that are due, by its clock or by an operation',
  'finish-paid.ts': 'a part of settling: what every payment does that gets PAID',
  'activate-subscription.ts': 'a part of settling a payment',
  'fulfil-order.ts': 'a part of settling a payment',
  'issue-invoice.ts': 'a part of settling a payment',
  'issue-credit-note.ts': 'a part of settling a refund',
  'post-to-ledger.ts': 'a part of whatever moves money',
  'close-unpaid.ts': 'a part of cancelling a payment or an order, and of a correction',
  'reverse-charge.ts': 'a part of settling: money that nothing is owed for goes back',
  'refund-payment.ts': 'asked for by a merchant, a cancelled subscription, a correction and a lost dispute',
  'settle-refund.ts': 'every outcome of a refund ends here, whoever asked for it',
  'revoke-entitlements.ts': 'a part of refunding, cancelling and losing a dispute',
  'validate-custom-fields.ts': 'a part of a submit: the validators are asked before anything is written',
  'load-mail-sale.ts': 'a part of sending a mail: the sale that it is about',
  'sample-sale.ts': 'what a test event tells is long, and apart from its sending',
  'record-attempts.ts':
    'what becomes of a webhook is decided by attempts and by the look at their streak alike',
  'tell-stock.ts': 'a part of handing out keys: the owner hears when few are left',
  'queue-mail.ts': 'a part of every change that somebody is told of by mail alone',
  'issue-key-pair.ts': 'a new workspace and a rolled pair get their keys alike',
};

/** A test purchase plays the buyer: the whole checkout, with nothing in between left out. */
const PLAYS_BUYER = 'a test purchase is the buyer’s own checkout, done at once';

export const EXCEPTIONS: readonly ImportException[] = [
  {
    from: 'resources/due-work/lane-work.queries.ts',
    to: 'resources/due-work/due-work.queries.ts',
    reason: 'a claim of work in lanes is a claim: lease, fence and what may be taken are said once',
  },
  {
    from: 'resources/due-work/store-work.queries.ts',
    to: 'resources/due-work/due-work.queries.ts',
    reason: 'what was claimed has one form, whoever claims it',
  },
  {
    from: 'flows/open-dispute.ts',
    to: 'flows/pause-subscription.ts',
    reason: 'a disputed subscription is paused as a merchant would',
  },
  {
    from: 'flows/watch-dispute.ts',
    to: 'flows/open-dispute.ts',
    reason: 'a look at a dispute finds that it was opened',
  },
  {
    from: 'flows/watch-dispute.ts',
    to: 'flows/close-dispute.ts',
    reason: 'a look at a dispute finds that it was closed',
  },
  {
    from: 'flows/correct-order.ts',
    to: 'flows/cancel-order.ts',
    reason: 'an order that is corrected to CANCELLED is cancelled',
  },
  {
    from: 'documents/document-shelf.ts',
    to: 'resources/files/files.storage.ts',
    reason: 'documents are kept by workspace and mode, as files are',
  },
  {
    from: 'documents/render-request.ts',
    to: 'resources/files/files.storage.ts',
    reason: 'an invoice shows an uploaded picture, whose place on disk is known there',
  },
  {
    from: 'jobs/clock.ts',
    to: 'resources/files/files.storage.ts',
    reason: 'a store that is emptied leaves no files on disk, whose places are known there',
  },
  { from: 'flows/buy-for-test.ts', to: 'flows/open-checkout.ts', reason: PLAYS_BUYER },
  { from: 'flows/buy-for-test.ts', to: 'flows/submit-checkout.ts', reason: PLAYS_BUYER },
  { from: 'flows/buy-for-test.ts', to: 'flows/confirm-checkout.ts', reason: PLAYS_BUYER },
  {
    from: 'flows/create-subscription.ts',
    to: 'flows/confirm-checkout.ts',
    reason: 'a repeated request finds out what became of the charge, as a buyer does who comes back',
  },
  {
    from: 'flows/show-checkout.ts',
    to: 'flows/show-receipt.ts',
    reason: 'a paid checkout shows its receipt',
  },
  {
    from: 'flows/show-debt.ts',
    to: 'flows/show-receipt.ts',
    reason: 'what was paid later is shown as what was paid first: method, refunds, how it goes on',
  },
  {
    from: 'flows/create-product.ts',
    to: 'resources/offers/offers.service.ts',
    reason:
      'a product and its inline offers are made in one transaction, by the rules of an offer made alone',
  },
  {
    from: 'flows/create-workspace.ts',
    to: 'resources/api-keys/key-pairs.ts',
    reason: 'the secret of a pair is made and hashed in one place',
  },
  {
    from: 'flows/issue-key-pair.ts',
    to: 'resources/api-keys/key-pairs.ts',
    reason: 'the secret of a pair is made and hashed in one place',
  },
  {
    from: 'http/authenticate.ts',
    to: 'resources/api-keys/api-keys.queries.ts',
    reason: 'the door looks up who asks',
  },
  {
    from: 'http/authenticate.ts',
    to: 'resources/api-keys/key-pairs.ts',
    reason: 'the door compares a secret with its hash',
  },
  {
    from: 'http/context.ts',
    to: 'resources/workspaces/workspaces.queries.ts',
    reason: 'the door reads the clock of the store',
  },
  {
    from: 'http/idempotency.ts',
    to: 'resources/idempotency-keys/idempotency-keys.queries.ts',
    reason: 'the door keeps answers for replays, in the transaction of the work',
  },
  {
    from: 'http/register.ts',
    to: 'resources/audit-log/audit-log.queries.ts',
    reason: 'the door writes the audit row, so that no write can leave it out',
  },
  {
    from: 'resources/plans/plans.routes.ts',
    to: 'resources/variants/variants.service.ts',
    reason: 'plans are the variants of a subscription product, under another path',
  },
  {
    from: 'resources/checkouts/checkouts.pages.ts',
    to: 'resources/subscriptions/debts.routes.ts',
    reason: 'the one link to pay leads to an order’s checkout or to what a subscription owes',
  },
  {
    from: 'resources/checkouts/checkouts.routes.ts',
    to: 'resources/files/files.service.ts',
    reason: 'the receipt shows downloads, whose links are signed in one place',
  },
  {
    from: 'resources/payments/payments.routes.ts',
    to: 'resources/orders/orders.routes.ts',
    reason: 'both lists take the same filters',
  },
  {
    from: 'resources/payments/payments.routes.ts',
    to: 'resources/orders/sales-list.ts',
    reason: 'both lists take the same filters',
  },
];
