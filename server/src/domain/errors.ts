/**
 * The one catalogue of refusals: code → status and public message.
 * A refusal is expected and is the caller's business; a bug is an `assert`. docs/errors.md is generated
 * from this table, and a test fails for a code that no test provokes.
 */
export const ERRORS = {
  invalid_input: { status: 400, message: 'The request is not valid.' },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  duplicate_key: { status: 400, message: 'A key is given more than once in one object of the body.' },
  invalid_idempotency_key: { status: 400, message: 'Idempotency-Key must have 1 to 255 characters.' },
  amount_too_large: { status: 400, message: 'The amount is beyond the largest that can be stored.' },
  offer_currency_mismatch: { status: 400, message: "The offer's currency must be the workspace's." },
  free_product_price: {
    status: 400,
    message: 'A price of 0 needs freeProduct, and freeProduct a price of 0.',
  },
  free_subscription: { status: 400, message: 'freeProduct is not possible on a Subscription product.' },
  recurring_interval_required: {
    status: 400,
    message: 'An offer of a Subscription product needs recurringInterval and recurringIntervalCount.',
  },
  recurring_interval_forbidden: {
    status: 400,
    message: 'Only offers of Subscription products have a recurring or trial interval.',
  },
  plans_need_subscription: { status: 400, message: 'Plans belong to products of type Subscription.' },
  keys_on_subscription: { status: 400, message: 'Keys cannot be stocked in a subscription offer.' },
  unknown_processor_customer: { status: 400, message: 'The processor knows of no such customer.' },
  unknown_reference: { status: 400, message: 'A referenced object does not exist.' },
  file_purpose: { status: 400, message: 'The file was uploaded for another purpose.' },
  mixed_offers: {
    status: 400,
    message: 'A checkout holds one or more one-time offers, or exactly one subscription offer.',
  },
  custom_fields_not_allowed: { status: 400, message: 'customFields cannot be set on a checkout element.' },
  custom_field_limit_reached: { status: 400, message: 'A store has at most 50 active custom fields.' },
  custom_field_invalid: { status: 400, message: 'A custom field is missing or not valid.' },
  discount_code_unknown: { status: 400, message: 'This discount code does not exist.' },
  discount_inactive: { status: 400, message: 'This discount code is not active.' },
  discount_not_started: { status: 400, message: 'This discount code is not valid yet.' },
  discount_expired: { status: 400, message: 'This discount code has expired.' },
  discount_exhausted: { status: 400, message: 'This discount code has been used up.' },
  discount_user_limit: { status: 400, message: 'You have used this discount code already.' },
  discount_not_applicable: { status: 400, message: 'This discount code does not apply to this purchase.' },
  discount_wrong_currency: { status: 400, message: 'This discount code is for another currency.' },
  consent_required: {
    status: 400,
    message: 'Please tick the box above the button: the seller delivers only to buyers who agree to it.',
  },
  method_not_offered: { status: 400, message: 'This cannot be paid by this method. Please choose another.' },
  amount_below_minimum: {
    status: 400,
    message: 'The amount is too small to be charged: no connected processor takes so little.',
  },
  amount_not_chargeable: {
    status: 400,
    message:
      'The amount cannot be charged in this currency: it is too large, or a part of its smallest unit.',
  },
  amount_mismatch: { status: 400, message: 'Another amount was asked for than has come.' },
  card_data_refused: {
    status: 400,
    message: 'Card details are taken in the processor’s own fields alone: nothing of them was read.',
  },
  payment_token_invalid: {
    status: 400,
    message:
      'The processor knows of nothing to pay with by this token. Please enter the payment details again.',
  },
  card_invalid: { status: 400, message: 'The card details are not valid.' },
  payment_method_required: {
    status: 400,
    message: 'The user has no stored payment method that can be charged.',
  },
  processor_key_of_a_copy: {
    status: 400,
    message: 'This installation is a copy for tries: its live stores take test keys alone.',
  },
  processor_key_wrong_mode: { status: 400, message: 'The keys are not of the mode that they are for.' },
  processor_key_refused: { status: 400, message: 'The processor does not take this key.' },
  processor_permission_missing: { status: 400, message: 'The keys may not do all that is needed.' },
  price_changed: { status: 409, message: 'The price has changed. Please check the new total.' },
  offer_not_for_sale: { status: 400, message: 'This offer is not for sale.' },
  quantity_above_limit: { status: 400, message: 'The quantity is above the most that one order may have.' },
  field_locked: { status: 400, message: 'The seller has set this field.' },
  quantity_not_mutable: { status: 400, message: 'The quantity of this offer cannot be changed.' },
  test_mode_only: { status: 400, message: 'This operation works with test mode keys only.' },
  paid_elsewhere: {
    status: 400,
    message: 'It was paid where it was imported from: refund it there.',
  },
  refund_exceeds_paid: { status: 400, message: 'The amount is above what is left to refund.' },
  accent_contrast: { status: 400, message: 'The accent cannot be read on white: choose a darker one.' },
  export_limit_reached: { status: 409, message: 'Three exports of this store are under way: wait for one.' },
  export_state: { status: 409, message: 'The export has ended.' },
  import_state: { status: 409, message: 'The import is not in a state for this.' },
  import_has_errors: {
    status: 409,
    message: 'Lines of the import were refused: mend them, or commit with `skipErrors`.',
  },
  price_changes: {
    status: 409,
    message:
      'Subscriptions would be charged other sums than before: see the plan, or commit with `acceptPriceChanges`.',
  },
  plan_changed: {
    status: 409,
    message: 'The plan does not hold any more: get the import, and look at the new one.',
  },
  import_limit_reached: { status: 409, message: 'Three imports of this store are under way: wait for one.' },
  view_limit_reached: { status: 400, message: 'One keeps at most 200 views.' },
  invitation_invalid: { status: 400, message: 'This invitation is no longer valid.' },
  team_limit_reached: {
    status: 400,
    message: 'A workspace has at most 200 members and 200 open invitations.',
  },
  workspace_limit_reached: { status: 400, message: 'An account makes at most 10 workspaces.' },
  api_key_limit_reached: { status: 400, message: 'A store has at most 50 key pairs.' },
  webhook_limit_reached: { status: 400, message: 'A workspace has at most 10 webhooks per mode.' },
  listener_limit_reached: { status: 400, message: 'A workspace has at most 5 listeners per mode.' },
  listener_ended: { status: 409, message: 'Nobody asked for this listener in a day: create a new one.' },
  webhook_url_blocked: {
    status: 400,
    message: 'The webhook URL must be http(s) and lead to a public address.',
  },
  event_expired: { status: 409, message: 'The body of this event is no longer kept.' },
  webhook_inactive: { status: 409, message: 'The webhook is inactive: set its status to active first.' },
  webhook_secret_invalid: { status: 400, message: 'A whsec_ secret must be base64 of 16 bytes or more.' },
  workspace_required: {
    status: 400,
    message:
      'With a session the headers x-svc-workspace and x-svc-mode (live or test) say which store is meant.',
  },
  passkey_invalid: { status: 400, message: 'The passkey could not be checked: try again.' },
  link_invalid: { status: 400, message: 'This link is no longer valid.' },
  password_too_weak: { status: 400, message: 'The password is too easy to guess.' },
  unauthorized: { status: 401, message: 'The API key is missing, unknown or revoked.' },
  session_required: { status: 401, message: 'This operation needs a session: sign in.' },
  code_invalid: { status: 401, message: 'This code is not valid any more.' },
  sign_in_failed: { status: 401, message: 'The e-mail or the password is not right.' },
  invalid_credentials: { status: 401, message: 'The e-mail or the password is not right.' },
  invalid_code: { status: 401, message: 'The code is not right, or was used before.' },
  identity_unknown: { status: 401, message: 'The identity provider’s word lets nobody in here.' },
  sign_in_expired: { status: 401, message: 'This sign-in is over: begin anew.' },
  secret_key_required: { status: 401, message: 'This operation needs the secret key.' },
  proof_required: {
    status: 401,
    message: 'The stored card is charged only for whoever has opened a link that we mailed to its owner.',
  },
  insufficient_scope: { status: 403, message: 'The API key does not allow this operation.' },
  insufficient_permission: { status: 403, message: 'Your role does not allow this.' },
  sign_up_closed: { status: 403, message: 'Accounts are made by invitation here.' },
  cross_site_request: { status: 403, message: 'The request does not come from a page of this service.' },
  reauthentication_required: { status: 403, message: 'Confirm first that it is you.' },
  second_factor_required: {
    status: 403,
    message: 'This workspace asks for a second factor: set one up first.',
  },
  ip_not_allowed: { status: 403, message: 'This key pair may not be used from your address.' },
  workspace_suspended: { status: 403, message: 'The workspace is suspended: it can be read, not written.' },
  workspace_archived: { status: 403, message: 'The workspace is archived.' },
  download_over: { status: 409, message: 'This download is used up, or its time is over.' },
  download_limit_reached: {
    status: 409,
    message: 'This was downloaded as often as it may be, or its time is over.',
  },
  email_not_proved: {
    status: 403,
    message: 'The e-mail of this account is not proved: sign in by a link that is mailed to it.',
  },
  invitation_email_mismatch: {
    status: 403,
    message: 'The invitation is for another e-mail: sign in with that account.',
  },
  access_ended: { status: 403, message: 'This is not yours any more, or is withheld for now.' },
  feature_disabled: { status: 403, message: 'The shop does not offer this.' },
  not_found: { status: 404, message: 'There is no such object.' },
  workspace_not_found: { status: 404, message: 'There is no such workspace.' },
  route_not_found: { status: 404, message: 'There is no such operation.' },
  method_not_allowed: { status: 405, message: 'The method is not allowed for this path.' },
  oidc_unavailable: { status: 409, message: 'There is no identity provider, or it does not answer.' },
  passkeys_unavailable: {
    status: 409,
    message: 'Passkeys need a service that is reached by a name, not by an address.',
  },
  passkey_limit_reached: { status: 409, message: 'An account has at most 20 passkeys.' },
  secrets_key_missing: { status: 409, message: 'Secrets cannot be kept here: SECRETS_KEY is not set.' },
  second_factor_set: { status: 409, message: 'A code is set up already: remove it first.' },
  second_factor_missing: { status: 409, message: 'There is no second factor.' },
  last_admin: { status: 409, message: 'Nobody else runs the installation.' },
  mail_server_missing: { status: 409, message: 'No mail server is set: SMTP_URL.' },
  last_owner: { status: 409, message: 'A workspace has exactly one Owner: transfer it first.' },
  member_exists: { status: 409, message: 'This account is a member of the workspace already.' },
  subscriptions_running: {
    status: 409,
    message: 'Subscriptions of the workspace are running: cancel them, or say cancelSubscriptions.',
  },
  workspace_state: { status: 409, message: "The workspace's state does not allow this." },
  discount_running: { status: 409, message: 'A discount lowers the payments of this subscription still.' },
  discount_code_taken: { status: 409, message: 'Another discount has this code.' },
  payment_method_in_use: {
    status: 409,
    message: 'A subscription is paid by this card: let it be paid by another one first.',
  },
  internal_id_ambiguous: { status: 409, message: 'Several users have this internalId.' },
  email_taken: { status: 409, message: 'Another user has this e-mail.' },
  slug_taken: {
    status: 409,
    message: 'Another product has this slug, or another workspace this portalSlug.',
  },
  view_taken: { status: 409, message: 'Another view of this list has this name.' },
  key_expired: { status: 409, message: 'The grace of this key pair is over: create a new one.' },
  key_taken: { status: 409, message: 'Another custom field has this key.' },
  key_sold: { status: 409, message: 'A sold key cannot be removed.' },
  key_reserved: { status: 409, message: 'A key that an open checkout holds cannot be removed.' },
  sold_out: { status: 409, message: 'This offer is sold out.' },
  offer_limit_reached: { status: 409, message: 'This offer is sold out: its limit is reached.' },
  archived: { status: 409, message: 'The object is archived.' },
  order_state: { status: 409, message: "The order's state does not allow this." },
  payment_state: { status: 409, message: "The payment's state does not allow this." },
  subscription_state: { status: 409, message: "The subscription's state does not allow this." },
  subscription_running: { status: 409, message: 'A subscription of the user is running.' },
  event_erased: {
    status: 409,
    message: 'The user that this event tells of was erased: it cannot be sent again.',
  },
  change_pending: { status: 409, message: 'A change of the plan waits for its payment.' },
  payment_pending: { status: 409, message: 'The payment of the current period is being processed.' },
  payment_not_paid: { status: 409, message: 'The payment has no money to give back: it was not paid.' },
  payment_disputed: { status: 409, message: 'The payment is disputed: it cannot be refunded now.' },
  withdrawal_state: { status: 409, message: 'The withdrawal was decided, or has taken effect.' },
  notice_state: { status: 409, message: 'The cancellation notice was decided.' },
  mail_not_resendable: {
    status: 409,
    message: 'This mail cannot be sent again: it lets somebody in, or its reader is gone.',
  },
  processor_state: { status: 409, message: "The processor's state does not allow this." },
  processor_other_account: { status: 409, message: 'The keys are of another account.' },
  processor_already_connected: { status: 409, message: 'This account is connected already.' },
  public_url_not_secure: {
    status: 409,
    message: 'Real money needs PUBLIC_URL to be an https address.',
  },
  processor_in_use: { status: 409, message: 'Subscriptions renew over this processor.' },
  refund_state: { status: 409, message: 'The refund does not wait to be settled by hand.' },
  already_refunded: { status: 409, message: 'Nothing is left to refund.' },
  charge_not_held: { status: 409, message: 'The charge waits for no decision.' },
  payment_in_progress: { status: 409, message: 'The payment is being processed.' },
  checkout_session_state: { status: 409, message: 'The checkout is paid or being paid.' },
  checkout_expired: { status: 409, message: 'This checkout has expired.' },
  processor_not_configured: { status: 409, message: 'Payments are not set up for this workspace.' },
  request_in_progress: { status: 409, message: 'A request with this Idempotency-Key is still running.' },
  answer_not_kept: {
    status: 409,
    message: 'This was done before. Its answer held a secret and is not kept.',
  },
  clock_advancing: { status: 409, message: 'The test clock is being advanced.' },
  edit_conflict: {
    status: 412,
    message: 'Somebody else changed this object. Nothing was done: look at it as it is now.',
  },
  body_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The content type must be application/json.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used with another request.',
  },
  too_many_attempts: { status: 429, message: 'Too many failed tries: wait before the next one.' },
  rate_limited: { status: 429, message: 'Too many requests.' },
  too_many_declines: { status: 429, message: 'Too many cards were declined. Please try again later.' },
  too_many_codes: {
    status: 429,
    message: 'Too many discount codes were tried that do not exist. Please try again later.',
  },
  too_many_open_orders: {
    status: 429,
    message: 'Too many orders wait for their payment. Finish one of them first.',
  },
  internal: { status: 500, message: 'Something went wrong on our side.' },
  list_too_wide: {
    status: 400,
    message: 'The store cannot find this within 5 seconds.',
  },
  store_held: {
    status: 503,
    message:
      'This store is held: it may be a copy of another, and nobody has said yet which of the two goes on. It can be read, not written.',
  },
  store_busy: {
    status: 503,
    message: 'Something this request needs is in use. Nothing was done: try again.',
  },
  processor_unreachable: {
    status: 503,
    message: 'The processor has not answered. Nothing was changed: please try again.',
  },
  unavailable: { status: 503, message: 'The service is starting, stopping or cannot reach its store.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One invalid place of the input: `path` in dots (`offers.0.price`), `message` for people. */
export interface InputIssue {
  path: string;
  message: string;
  /** It could not be judged: the same may be right in a moment. */
  retry?: true;
}

/** An object, by its kind and id. */
export interface NamedObject {
  object: string;
  id: string;
}

export interface RefusalOptions {
  /** Public text, when the catalogue's is not precise enough. */
  message?: string;
  details?: InputIssue[];
  /** Details of another form, of a code that has its own: the new price, for one. */
  facts?: readonly object[];
  /** Only for the log. */
  internal?: string;
  /** Seconds after which the same request may be answered otherwise. */
  retryAfterS?: number;
  cause?: unknown;
}

/** An expected refusal. `http/errors.ts` is the only translator to HTTP. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly details: InputIssue[] | undefined;
  readonly facts: readonly object[] | undefined;
  readonly internal: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.facts = options.facts;
    this.internal = options.internal;
    this.retryAfterS = options.retryAfterS;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** A request is not told what failed behind the service, such as which file could not be written; an operator is. */
export function explainError(error: Error): string {
  if (!(error instanceof Refusal)) return error.message;
  const { code, internal, cause } = error;
  const because = cause instanceof Error ? cause.message : undefined;
  if (internal !== undefined) return because === undefined ? internal : `${internal}: ${because}`;
  // Its own sentence is for whoever asks the API, and is the same of all that was out of reach.
  return code === 'unavailable' ? (because ?? error.message) : error.message;
}

/** `invalid_input` for one field: the message names it. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal('invalid_input', { message: `${path} ${message}`, details: [{ path, message }] });
}

/** A store sells in one currency: whoever names another is told which. */
export function otherCurrency(held: string): Refusal {
  const details = [{ path: 'currency', message: `must be ${held}` }];
  return new Refusal('offer_currency_mismatch', {
    message: `currency must be ${held}, in which the store sells`,
    details,
  });
}

/** `not_found` of one object: the message names what it is and the id, or number, that it was asked by. */
export function notFound(noun: string, id: string): Refusal {
  return new Refusal('not_found', { message: `There is no ${noun} ${id}.` });
}

/** `unknown_reference` of one field: the message names it and the id. */
export function unknownReference(path: string, id: string): Refusal {
  return new Refusal('unknown_reference', {
    message: `${path} names an object that does not exist: ${id}`,
    details: [{ path, message: 'does not exist' }],
  });
}
