/** What belongs to the account itself: it, its balance, endpoints, domains and configurations. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { mergeMetadata, type Params } from '../api/check-params.ts';
import { isInvalid, isRefused } from '../api/errors.ts';
import { API_VERSION } from '../objects/blank.ts';
import { PREFIX } from '../objects/charge.ts';
import { type Account, find, insert, listRows, type Row, save } from '../world/rows.ts';
import { type Call, change, hash, text } from './call.ts';
import { sumBalance } from './ledger.ts';
import { TYPES } from './types.ts';

const ENDPOINTS_MAX = 16;

export function getAccount({ account }: Call): Stripe.Account {
  const none = {
    current_deadline: null,
    currently_due: [],
    disabled_reason: null,
    errors: [],
    eventually_due: [],
  };
  const requirements = { ...none, alternatives: [], past_due: [], pending_verification: [] };
  return {
    id: account.id,
    object: 'account',
    business_profile: null,
    business_type: 'company',
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: !account.isClosed,
    controller: { type: 'account' },
    country: account.country,
    created: account.created,
    default_currency: account.currency,
    details_submitted: true,
    email: 'site@example.com',
    external_accounts: {
      data: [],
      has_more: false,
      object: 'list',
      url: `/v1/accounts/${account.id}/external_accounts`,
    },
    future_requirements: requirements,
    metadata: {},
    payouts_enabled: !account.isClosed,
    requirements,
    settings: {
      bacs_debit_payments: { display_name: null, service_user_number: null },
      branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
      card_issuing: { tos_acceptance: { date: null, ip: null } },
      card_payments: {
        decline_on: { avs_failure: false, cvc_failure: false },
        statement_descriptor_prefix: PREFIX,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      dashboard: { display_name: 'Stand-in', timezone: 'Etc/UTC' },
      invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
      payments: {
        statement_descriptor: PREFIX,
        statement_descriptor_kana: null,
        statement_descriptor_kanji: null,
        statement_descriptor_prefix_kana: null,
        statement_descriptor_prefix_kanji: null,
      },
      payouts: {
        debit_negative_balances: true,
        schedule: { delay_days: 2, interval: 'daily' },
        statement_descriptor: null,
      },
      sepa_debit_payments: {},
    },
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'standard',
  };
}

export function getOwnAccount(call: Call): Stripe.Account {
  if (call.ids[0] === call.account.id) return getAccount(call);
  throw isRefused(
    `The provided key does not have access to account '${call.ids[0]}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid' },
    403,
  );
}

export function getBalance({ world, account }: Call): Stripe.Balance {
  const { available, pending } = sumBalance(world, account);
  const { currency } = account;
  return {
    object: 'balance',
    available: [{ amount: available, currency, source_types: { card: available } }],
    livemode: account.isLive,
    pending: [{ amount: pending, currency, source_types: { card: pending } }],
  };
}

export function createEndpoint({ world, account, params }: Call): Stripe.WebhookEndpoint {
  const url = String(params.url);
  checkUrl(world, account, url);
  if (listRows(world, 'webhook_endpoint', account).length >= ENDPOINTS_MAX) {
    throw isRefused(
      `You have reached the maximum of ${ENDPOINTS_MAX} ${account.isLive ? 'live' : 'test'} webhook endpoints.`,
    );
  }
  const id = world.id('we');
  const secret = `whsec_${world.digest(`secret ${id}`, 32)}`;
  const row = insert(
    world,
    'webhook_endpoint',
    account,
    {
      id,
      object: 'webhook_endpoint',
      api_version: text(params, 'api_version'),
      application: null,
      created: world.now,
      description: text(params, 'description'),
      enabled_events: readEvents(params),
      livemode: account.isLive,
      metadata: mergeMetadata(null, params.metadata),
      status: 'enabled',
      url,
    },
    { secret },
  );
  // Told here alone.
  return { ...row.data, api_version: row.data.api_version ?? API_VERSION, secret };
}

function readEvents(params: Params): string[] {
  const events = (params.enabled_events as string[] | undefined) ?? [];
  if (events.length === 0) throw isInvalid('Invalid array', 'enabled_events');
  return events;
}

function checkUrl(world: World, account: Account, url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw isRefused('Not a valid URL', { code: 'url_invalid', param: 'url' });
  }
  const host = parsed.hostname;
  const isLocal =
    host === 'localhost' || host.endsWith('.localhost') || /^(127\.|10\.|192\.168\.|\[::1\]|0\.)/.test(host);
  if (isLocal && !world.mayLoopback) {
    throw isRefused(
      'Invalid URL: URL must be publicly accessible. Consider using a tool like the Stripe CLI to test webhooks locally: https://github.com/stripe/stripe-cli.',
      { code: 'url_invalid', param: 'url' },
    );
  }
  if (account.isLive && parsed.protocol !== 'https:' && !isLocal) {
    throw isRefused('Invalid URL: An explicit scheme (such as https) must be provided.', {
      code: 'url_invalid',
      param: 'url',
    });
  }
}

export function updateEndpoint({ world, account, ids, params }: Call): Stripe.WebhookEndpoint {
  const row = find(world, 'webhook_endpoint', account, String(ids[0]));
  const { data } = row;
  const url = text(params, 'url');
  if (url) {
    checkUrl(world, account, url);
    data.url = url;
  }
  if (params.enabled_events !== undefined) data.enabled_events = readEvents(params);
  if (params.disabled !== undefined) data.status = params.disabled ? 'disabled' : 'enabled';
  data.description = change(params, 'description', data.description);
  data.metadata = mergeMetadata(data.metadata, params.metadata);
  save(world, 'webhook_endpoint', row);
  return data;
}

export function deleteEndpoint({ world, account, ids }: Call): object {
  const row = find(world, 'webhook_endpoint', account, String(ids[0]));
  world.store.remove('webhook_endpoint', row.data.id);
  return { id: row.data.id, object: 'webhook_endpoint', deleted: true };
}

export function createDomain({ world, account, params }: Call): Stripe.PaymentMethodDomain {
  const name = String(params.domain_name).toLowerCase();
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(name)) {
    throw isRefused(`Invalid domain name: ${name}`, { param: 'domain_name' });
  }
  const known = listRows(world, 'payment_method_domain', account).find(
    ({ data }) => data.domain_name === name,
  );
  if (known) {
    known.data.enabled = params.enabled !== false;
    save(world, 'payment_method_domain', known);
    return known.data;
  }
  const active = { status: 'active' };
  return insert(world, 'payment_method_domain', account, {
    id: world.id('pmd'),
    object: 'payment_method_domain',
    amazon_pay: active,
    apple_pay: active,
    created: world.now,
    domain_name: name,
    enabled: params.enabled !== false,
    google_pay: active,
    klarna: active,
    link: active,
    livemode: account.isLive,
    paypal: active,
  }).data;
}

export function updateDomain({ world, account, ids, params }: Call): Stripe.PaymentMethodDomain {
  const row = find(world, 'payment_method_domain', account, String(ids[0]));
  if (params.enabled !== undefined) row.data.enabled = params.enabled === true;
  save(world, 'payment_method_domain', row);
  return row.data;
}

export function validateDomain({ world, account, ids }: Call): Stripe.PaymentMethodDomain {
  return find(world, 'payment_method_domain', account, String(ids[0])).data;
}

export function addConfiguration(
  world: World,
  account: Account,
  name: string,
  params: Params,
): Row<Stripe.PaymentMethodConfiguration> {
  const data: Stripe.PaymentMethodConfiguration = {
    id: world.id('pmc'),
    object: 'payment_method_configuration',
    active: true,
    application: null,
    is_default: account.configuration === '',
    livemode: account.isLive,
    name,
    parent: null,
  };
  const row = insert(world, 'payment_method_configuration', account, data);
  for (const type of [...Object.keys(TYPES), 'apple_pay', 'google_pay']) setOn(data, type, true);
  configure(data, params);
  return row;
}

function configure(data: Stripe.PaymentMethodConfiguration, params: Params): void {
  for (const type of [...Object.keys(TYPES), 'apple_pay', 'google_pay']) {
    const preference = hash(hash(params, type) ?? {}, 'display_preference')?.preference;
    if (preference !== undefined) setOn(data, type, preference !== 'off');
  }
  const name = text(params, 'name');
  if (name) data.name = name;
  if (params.active !== undefined) data.active = params.active === true;
}

function setOn(data: Stripe.PaymentMethodConfiguration, type: string, isOn: boolean): void {
  const value = isOn ? 'on' : 'off';
  const entry = { available: isOn, display_preference: { overridable: null, preference: value, value } };
  (data as unknown as Record<string, unknown>)[type] = entry;
}

export function createConfiguration({ world, account, params }: Call): Stripe.PaymentMethodConfiguration {
  return addConfiguration(world, account, text(params, 'name') ?? 'Custom', params).data;
}

export function updateConfiguration({
  world,
  account,
  ids,
  params,
}: Call): Stripe.PaymentMethodConfiguration {
  const row = find(world, 'payment_method_configuration', account, String(ids[0]));
  configure(row.data, params);
  save(world, 'payment_method_configuration', row);
  return row.data;
}
