/** Payers kept for later. https://developer.paypal.com/docs/api/payment-tokens/v3/ */
import type { World } from '../../../core/world.ts';
import { isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import {
  type Account,
  type Funding,
  find,
  insert,
  listRows,
  type Payer,
  type PaymentToken,
  type Row,
  type SetupToken,
  save,
  toId,
  toLink,
} from '../world/rows.ts';
import { type Answered, at, type Call, textAt } from './call.ts';

const SETUP_LIFE_MS = 3 * 24 * 3_600_000;

/** Who approves on the stand-in's pages. */
export const PAYER: Payer = {
  email_address: 'buyer@personal.example.com',
  payer_id: 'QYR5Z8XDVJNXQ',
  name: { given_name: 'John', surname: 'Doe' },
  address: { country_code: 'DE' },
};

export function createSetup({ world, account, body, key }: Call): Answered {
  if (key === null) throw isRefused(400, 'PAYPAL_REQUEST_ID_REQUIRED', 'PayPal-Request-Id');
  const source = at(body, 'payment_source', 'paypal');
  if (source === undefined) throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', '/payment_source');
  if (textAt(source, 'usage_type') === undefined)
    throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', '/payment_source/paypal/usage_type');
  const returnUrl = textAt(source, 'experience_context', 'return_url');
  const cancelUrl = textAt(source, 'experience_context', 'cancel_url');
  if (!returnUrl || !cancelUrl)
    throw isRefused(
      400,
      'MISSING_REQUIRED_PARAMETER',
      `/payment_source/paypal/experience_context/${returnUrl ? 'cancel_url' : 'return_url'}`,
    );
  const id = toId(world);
  const customer = { id: textAt(body, 'customer', 'id') ?? toId(world, 10) };
  const token: SetupToken = {
    id,
    customer,
    status: 'PAYER_ACTION_REQUIRED',
    payment_source: { paypal: { usage_type: textAt(source, 'usage_type') } },
    links: [
      toLink(world, `/agreements/approve?approval_session_id=${id}`, 'approve'),
      toLink(world, `/v3/vault/setup-tokens/${id}`, 'self'),
    ],
  };
  insert(world, 'setup_token', account, id, token, { returnUrl, cancelUrl });
  return { status: 201, body: token };
}

function findSetup(world: World, account: Account, id: string): Row<SetupToken> {
  const row = find(world, 'setup_token', account, id);
  if (world.nowMs - row.hidden.createdMs > SETUP_LIFE_MS) throw isRefused(422, 'TOKEN_EXPIRED');
  return row;
}

export function readSetup({ world, account, ids }: Call): Answered {
  return { status: 200, body: findSetup(world, account, ids[0] ?? '').data };
}

export function approveSetup(world: World, row: Row<SetupToken>, funding: Funding): void {
  row.data.status = 'APPROVED';
  row.data.payment_source.paypal = { ...row.data.payment_source.paypal, ...toWallet() };
  row.hidden.funding = funding;
  save(world, 'setup_token', row);
}

export function createToken({ world, account, body, key }: Call): Answered {
  if (key === null) throw isRefused(400, 'PAYPAL_REQUEST_ID_REQUIRED', 'PayPal-Request-Id');
  const place = '/payment_source/token';
  const setupId = textAt(body, 'payment_source', 'token', 'id');
  if (setupId === undefined) throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', `${place}/id`);
  if (textAt(body, 'payment_source', 'token', 'type') !== 'SETUP_TOKEN')
    throw isRefused(400, 'INVALID_PARAMETER_VALUE', `${place}/type`);
  const setup = findSetup(world, account, setupId);
  if (setup.data.status === 'VAULTED') throw isRefused(422, 'SETUP_TOKEN_ALREADY_USED', `${place}/id`);
  if (setup.data.status !== 'APPROVED') throw isRefused(422, 'SETUP_TOKEN_NOT_APPROVED', `${place}/id`);
  setup.data.status = 'VAULTED';
  save(world, 'setup_token', setup);
  const token = vaultPayer(world, account, setup.data.customer.id, setup.hidden.funding ?? 'balance');
  return { status: 201, body: token.data };
}

/** Keeps the payer under a payment token. */
export function vaultPayer(
  world: World,
  account: Account,
  customer: string | undefined,
  funding: Funding,
): Row<PaymentToken> {
  const id = toId(world).toLowerCase();
  const token: PaymentToken = {
    id,
    customer: { id: customer ?? toId(world, 10) },
    payment_source: { paypal: toWallet() },
    links: [
      toLink(world, `/v3/vault/payment-tokens/${id}`, 'self'),
      toLink(world, `/v3/vault/payment-tokens/${id}`, 'delete', 'DELETE'),
    ],
  };
  const row = insert(world, 'payment_token', account, id, token, { funding });
  emit(
    world,
    account,
    'VAULT.PAYMENT-TOKEN.CREATED',
    'payment_token',
    token,
    'A payment token has been created.',
  );
  return row;
}

function toWallet(): Record<string, unknown> {
  const { email_address, payer_id, name, address } = PAYER;
  return { email_address, account_id: payer_id, payer_id, name, address };
}

export function readToken({ world, account, ids }: Call): Answered {
  return { status: 200, body: find(world, 'payment_token', account, ids[0] ?? '').data };
}

export function listTokens({ world, account, query }: Call): Answered {
  const customer = query.get('customer_id');
  if (!customer) throw isRefused(400, 'MISSING_REQUIRED_PARAMETER', 'customer_id');
  const tokens = listRows(world, 'payment_token', account)
    .map(({ data }) => data)
    .filter((token) => token.customer.id === customer);
  return {
    status: 200,
    body: {
      customer: { id: customer },
      payment_tokens: tokens,
      links: [toLink(world, `/v3/vault/payment-tokens?customer_id=${customer}`, 'self')],
    },
  };
}

export function removeToken({ world, account, ids }: Call): Answered {
  removePayer(world, account, find(world, 'payment_token', account, ids[0] ?? ''));
  return { status: 204 };
}

export function removePayer(world: World, account: Account, row: Row<PaymentToken>): void {
  row.hidden.isGone = true;
  save(world, 'payment_token', row);
  const { id, customer } = row.data;
  emit(
    world,
    account,
    'VAULT.PAYMENT-TOKEN.DELETED',
    'payment_token',
    { id, customer },
    'A payment token has been deleted.',
  );
}
