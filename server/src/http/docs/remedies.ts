/** Why each refusal comes, and what ends it: the pages of codes. A code without a line of its own has that of its status. */
import type { ErrorCode } from '../../domain/errors.ts';

/** Cause and remedy. */
export const REMEDIES: Readonly<Partial<Record<ErrorCode, readonly [string, string]>>> = {
  invalid_input: [
    'A field, parameter or header is missing, unknown, or not of the form that the operation takes; `details` names each place.',
    'Mend what `details` names; the reference of the operation says what each field takes.',
  ],
  invalid_json: [
    'The body cannot be parsed as JSON in UTF-8.',
    'Send JSON with `content-type: application/json`; an empty body counts as `{}`.',
  ],
  duplicate_key: [
    'One object of the body names a key twice, and a parser would keep either.',
    'Send each key once.',
  ],
  invalid_idempotency_key: [
    'The header `Idempotency-Key` is empty or longer than 255 characters.',
    'Send a text of 1 to 255 characters, such as a UUID, the same at each try.',
  ],
  amount_too_large: [
    'A sum of what is asked for would pass the largest amount that is stored exactly.',
    'Lower the price or the quantity.',
  ],
  offer_currency_mismatch: [
    'A workspace sells in one currency, and the offer names another.',
    'Leave `currency` out, or send the workspace’s.',
  ],
  free_product_price: [
    'Whether something is free is said twice, and the two differ.',
    'Send `freeProduct: true` with a price of 0, or a price above 0 without it.',
  ],
  unknown_reference: [
    'An id in the body names nothing in this store and mode.',
    'Look the id up with the same keys: test and live have their own objects.',
  ],
  mixed_offers: [
    'The cart mixes one-time offers with a subscription, or holds two subscriptions.',
    'Sell them in two checkouts.',
  ],
  discount_code_unknown: [
    'No discount of the store has this code.',
    'Look at the spelling, or list discounts with the same keys.',
  ],
  discount_exhausted: [
    'The code was used as often as its `purchaseLimit` allows.',
    'Raise `purchaseLimit`, or make another code.',
  ],
  payment_method_required: [
    'The charge has nothing to be taken from: the buyer never paid by a method that is kept.',
    'Let the buyer pay at the checkout, or store a card by a portal session first.',
  ],
  price_changed: [
    'The price is another than the one that was agreed to.',
    'Show the new total, and send the request again with what the details say.',
  ],
  test_mode_only: [
    'The operation was asked with live keys.',
    'Ask with keys of the test store: they begin with `pub_test_` and `sec_test_`.',
  ],
  refund_exceeds_paid: [
    'More is asked back than was paid and not yet refunded.',
    'Ask for a preview of the refund, which says how much is left.',
  ],
  webhook_url_blocked: [
    'The address is not http or https, or leads into a private network.',
    'Use a public address; an operator lets networks in by `EGRESS_ALLOW_CIDRS`. For a machine of your own use `counterfoil listen`.',
  ],
  webhook_inactive: [
    'Nothing is sent to a webhook that was switched off, by hand or after it failed for long.',
    'Set its `status` to `active`, then send again.',
  ],
  unauthorized: [
    'No key pair came with the request, or it is unknown, revoked or expired, or its two keys are of different pairs.',
    'Send `x-svc-public-key` and `x-svc-secret-key` of one pair that is in use.',
  ],
  secret_key_required: [
    'The public key alone came, and the operation writes or shows what is not for everybody.',
    'Send `x-svc-secret-key` beside it, from a server and never from a page.',
  ],
  insufficient_scope: [
    'The pair’s scopes do not name the area that the operation belongs to.',
    'Add the scope, such as `orders:write`, to the pair in the dashboard, or use another pair.',
  ],
  insufficient_permission: [
    'Your role in the workspace does not allow it in this mode.',
    'Ask an Owner or Admin for a role that does.',
  ],
  ip_not_allowed: [
    'The pair may be used from the networks of its `ipAllowList` alone.',
    'Ask from one of them, or change the list.',
  ],
  workspace_suspended: [
    'Whoever runs the installation has suspended the workspace.',
    'Read on, and ask them to reactivate it.',
  ],
  workspace_archived: [
    'The workspace was closed.',
    'An Owner reopens it in the dashboard, as long as it is kept.',
  ],
  not_found: [
    'Nothing has this id or number in this store and mode, or it was erased.',
    'Look at the id, and whether it was made with keys of the same mode.',
  ],
  route_not_found: ['No operation has this path.', 'Look at the path in the reference at `/docs`.'],
  method_not_allowed: [
    'The path exists, and takes other methods.',
    'Use one of those that the header `allow` names.',
  ],
  sold_out: [
    'No key of the offer is left in stock that no open checkout holds.',
    'Add keys to the offer, or wait until an open checkout ends.',
  ],
  offer_limit_reached: [
    'As many were sold or are held as the offer’s `limit` allows.',
    'Raise `limit`, or wait until an open checkout ends.',
  ],
  archived: ['What is archived is neither sold nor changed.', 'Unarchive it first.'],
  order_state: [
    'The order has come too far, or not far enough, for what was asked.',
    'Read the order: its `status` says what is possible.',
  ],
  payment_state: [
    'The payment has come too far, or not far enough, for what was asked.',
    'Read the payment: its `status` says what is possible.',
  ],
  subscription_state: [
    'The subscription has ended, is paused, or has not begun.',
    'Read the subscription: its `status` says what is possible.',
  ],
  change_pending: [
    'A change of the plan was begun and waits for its payment.',
    'Wait until it is paid or has failed, then change again.',
  ],
  payment_pending: [
    'The payment of the running period has not been settled yet.',
    'Wait for `payment_success` or `payment_failed`.',
  ],
  already_refunded: [
    'All that was paid was given back.',
    'Nothing is to be done: read the refunds of the order.',
  ],
  payment_disputed: [
    'The buyer’s bank asks the money back, and a refund would pay it twice.',
    'Answer the dispute first.',
  ],
  request_in_progress: [
    'Another request with this `Idempotency-Key` has not ended.',
    'Send it again with the same key after a second: it is answered with what the first one did.',
  ],
  answer_not_kept: [
    'It was done under this key, and the answer held a secret, which is not kept.',
    'Take the id from `details`, and reveal or rotate the secret if you need it.',
  ],
  clock_advancing: [
    'The test clock is being moved, and nothing is written meanwhile.',
    'Wait as long as `retry-after` says; GET /v0/test-clock tells how far it is.',
  ],
  edit_conflict: [
    'The object was changed after you read it: `If-Match` names an older version.',
    'Look at `current` in the details, lay your change over it, and send its `ETag`.',
  ],
  body_too_large: [
    'The body is longer than the operation takes: 1 MiB unless it says otherwise.',
    'Send less at once, or upload the file.',
  ],
  unsupported_media_type: [
    'The body is not of the content type that the operation takes, or it is compressed.',
    'Send `content-type: application/json` and no `content-encoding`; uploads send the file’s own type.',
  ],
  idempotency_key_reused: [
    'The key was used for another method, path or body within 24 h.',
    'Use a new key for each new request, and the same one only for the same request.',
  ],
  rate_limited: [
    'More requests came than are taken in this time.',
    'Wait as long as `retry-after` says, in seconds; `ratelimit-remaining` tells how many are left.',
  ],
  internal: [
    'A bug of the service; it is in its log under the request id.',
    'Send it again with the same `Idempotency-Key`; if it stays, report it with the request id.',
  ],
  list_too_wide: [
    'A big store has too much to look through for what the filters name together.',
    'Name less at once: a span of time, one status, an exact number or e-mail; leave out `returnCount`.',
  ],
  store_held: [
    'The store may be a copy of another one: after a restore, or a move of its data.',
    'Whoever runs the installation says which goes on: `counterfoil resume`.',
  ],
  store_busy: [
    'A row that is needed is locked by another request.',
    'Send it again after the seconds of `retry-after`.',
  ],
  processor_unreachable: [
    'The payment processor did not answer in time.',
    'Send it again with the same `Idempotency-Key`.',
  ],
  unavailable: [
    'The process is starting or stopping, or its database does not answer.',
    'Send it again after the seconds of `retry-after`; `/readyz` tells when it is ready.',
  ],
  workspace_required: [
    'A session of the dashboard may belong to many workspaces.',
    'Send `x-svc-workspace` and `x-svc-mode`.',
  ],
  event_expired: [
    'The event is older than its body is kept.',
    'Read the objects that it was about, as they are now.',
  ],
  email_taken: [
    'Another user of the store has this e-mail address.',
    'Find that user by the address, and go on with it.',
  ],
  processor_not_configured: [
    'The store is live and no processor account is connected that can take this.',
    'Connect one in the dashboard, or try in test mode.',
  ],
};

export function toPlainRemedy(status: number): string {
  if (status === 401) return 'Send what lets you in, as the message says, and try again.';
  if (status === 403) return 'Ask with keys, or as a member, that may do this.';
  if (status === 404) return 'Look at the id or number, and at the store and mode that the keys belong to.';
  if (status === 409) return 'Read the object as it is now, and decide by its state what to do.';
  if (status === 429) return 'Wait as long as `retry-after` says, in seconds, and send it again.';
  if (status >= 500) return 'Send it again with the same `Idempotency-Key`, after a pause that grows.';
  return 'Mend the request at the place that `details` names, and send it again.';
}
