/** What moved the balance, three hours late. https://developer.paypal.com/docs/api/transaction-search/v1/ */
import { ApiError } from '../api/errors.ts';
import { toMoney } from '../world/money.ts';
import { listRows, type Movement, toLink } from '../world/rows.ts';
import type { Answered, Call } from './call.ts';
import { sumBalances, sumWithheld } from './movements.ts';

const LATE_MS = 3 * 3_600_000;
const RANGE_MAX_MS = 31 * 24 * 3_600_000;
const PAGE_MAX = 500;

export function listTransactions({ world, account, query }: Call): Answered {
  const fromMs = readDate(query, 'start_date');
  const toMs = readDate(query, 'end_date');
  if (toMs - fromMs > RANGE_MAX_MS) throw isInvalid('Date range is greater than 31 days');
  const size = Number(query.get('page_size') ?? 100);
  const page = Number(query.get('page') ?? 1);
  if (!(size >= 1 && size <= PAGE_MAX) || !(page >= 1)) throw isInvalid('Invalid page or page_size');
  const shownMs = world.nowMs - LATE_MS;
  const id = query.get('transaction_id');
  const found = listRows(world, 'movement', account)
    .map(({ data }) => data)
    .reverse()
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs && atMs <= shownMs)
    .filter((one) => !id || one.id === id);
  const path = '/v1/reporting/transactions';
  const rows = found.slice((page - 1) * size, page * size).map(toDetail);
  const at = new Date(shownMs).toISOString();
  return {
    status: 200,
    body: {
      transaction_details: rows,
      account_number: account.id,
      start_date: new Date(fromMs).toISOString(),
      end_date: new Date(toMs).toISOString(),
      last_refreshed_datetime: at,
      page,
      total_items: found.length,
      total_pages: Math.ceil(found.length / size),
      links: [toLink(world, path, 'self')],
    },
  };
}

function toDetail(one: Movement): object {
  const at = new Date(one.atMs).toISOString();
  return {
    transaction_info: {
      transaction_id: one.id,
      ...(one.reference ? { paypal_reference_id: one.reference, paypal_reference_id_type: 'TXN' } : {}),
      transaction_event_code: one.code,
      transaction_initiation_date: at,
      transaction_updated_date: at,
      transaction_amount: toMoney(one.amountMinor, one.currency),
      ...(one.feeMinor === 0 ? {} : { fee_amount: toMoney(one.feeMinor, one.currency) }),
      transaction_status: one.status,
      ...(one.invoice ? { invoice_id: one.invoice } : {}),
      ...(one.custom ? { custom_field: one.custom } : {}),
    },
  };
}

function readDate(query: URLSearchParams, name: string): number {
  const atMs = Date.parse(query.get(name) ?? '');
  if (Number.isNaN(atMs)) throw isInvalid(`${name} is missing or no date`);
  return atMs;
}

function isInvalid(issue: string): ApiError {
  return new ApiError(400, {
    name: 'INVALID_REQUEST',
    message: 'Request is not well-formed, syntactically incorrect, or violates schema.',
    details: [{ issue }],
  });
}

export function readBalances({ world, account }: Call): Answered {
  const movements = listRows(world, 'movement', account).map(({ data }) => data);
  const sums = { [account.currency]: 0, ...sumBalances(movements) };
  const at = new Date(world.nowMs).toISOString();
  const withheld = sumWithheld(movements);
  const balances = Object.entries(sums).map(([currency, minor]) => ({
    currency,
    primary: currency === account.currency,
    total_balance: toMoney(minor, currency),
    available_balance: toMoney(minor - (withheld[currency] ?? 0), currency),
    withheld_balance: toMoney(withheld[currency] ?? 0, currency),
  }));
  return { status: 200, body: { balances, account_id: account.id, as_of_time: at, last_refresh_time: at } };
}

/** Whose credentials these are. */
export function readUser({ account }: Call): Answered {
  return {
    status: 200,
    body: {
      user_id: `https://www.paypal.com/webapps/auth/identity/user/${account.id}`,
      payer_id: account.id,
      name: 'Test Store',
      verified_account: 'true',
      emails: [{ value: `merchant-${account.id}@business.example.com`, primary: true, confirmed: true }],
      address: { country: account.country },
    },
  };
}
