/** What an export of a store does not hold. `npm run check` compares this with the tables that there are. */

/** Columns that open something for whoever knows them, or by which guesses could be tried. */
export const SECRET_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['secret_hash'],
  checkout_sessions: ['opened_by_hash'],
  custom_fields: ['validation_secret'],
  invitations: ['mailed_token_hash', 'shown_token_hash'],
  listeners: ['secret'],
  processor_endpoints: ['token_hash', 'secret'],
  processors: ['credentials'],
  stores: ['redirect_secret'],
  users: ['password_hash'],
  webhooks: ['secret', 'previous_secret'],
};

/** Links that were given to buyers, and look like secrets: they lead to the same things in a restored store. */
export const GIVEN_LINKS: Readonly<Record<string, readonly string[]>> = {
  cancellation_notices: ['token'],
  checkout_sessions: ['token'],
  invoices: ['token'],
  payments: ['pay_token'],
  sandbox_charges: ['action_token'],
  withdrawals: ['token'],
};

/** Tables of a workspace whose rows are in no export, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  device_requests: 'codes that are good for minutes',
  exports: 'an export of exports: their files end with the week',
  import_rows: 'lines of a file that the merchant has: what was brought in stands in the other tables',
  idempotency_keys: 'answers to requests that are sent again, for a day',
  payer_proofs: 'proofs of browsers, which end by themselves',
  portal_codes: 'codes that are good for minutes',
  portal_email_changes: 'codes that are good for minutes',
  portal_exports: 'copies for buyers, which end with the week',
  portal_failures: 'wrong codes of the last hour',
  portal_guards: 'a lock of a store, which holds nothing',
  portal_sessions: 'signed-in browsers: they sign in again',
  reminded_addresses: 'hashes of addresses, kept for a week',
};

/** Tables of no workspace, and why an export of one has none of their rows. */
export const SHARED: Readonly<Record<string, string>> = {
  account_audit: 'of accounts, which belong to the installation',
  account_idempotency_keys: 'answers to requests that are sent again, for a day',
  account_identities: 'of accounts',
  account_mails: 'of accounts',
  account_passkeys: 'of accounts',
  account_recovery_codes: 'of accounts',
  account_sessions: 'of accounts',
  account_throttles: 'of accounts',
  account_tokens: 'of accounts',
  account_totp: 'of accounts',
  accounts: 'the members’ e-mails and roles are in the header',
  installation_secrets: 'of the installation',
  installation_settings: 'of the installation',
  installation_state: 'of the installation',
  limit_counters: 'of the installation',
  processes: 'of the installation',
  upkeep: 'of the installation',
  workspaces: 'of each other’s: its own row stands beside the tables’',
};

/** Tables of no workspace that a backup holds whole, in an order in which each finds what it points to. */
export const BACKED_UP: readonly string[] = [
  'workspaces',
  'accounts',
  'account_audit',
  'account_identities',
  'account_passkeys',
  'account_recovery_codes',
  'account_tokens',
  'account_totp',
  'installation_secrets',
  'installation_settings',
];

/** Tables of no workspace that no backup holds, and why. */
export const NOT_BACKED_UP: Readonly<Record<string, string>> = {
  account_idempotency_keys: 'answers to requests that are sent again, for a day',
  account_mails: 'letters on their way, which would be sent again',
  account_sessions: 'signed-in browsers: they sign in again',
  account_throttles: 'wrong passwords of the last hours',
  installation_state: 'which installation it is; its epoch and whether it is a copy stand in the header',
  limit_counters: 'counters of the last hour',
  processes: 'processes of another installation',
  upkeep: 'leases of processes',
};
