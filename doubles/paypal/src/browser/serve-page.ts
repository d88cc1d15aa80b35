/** The pages where a payer says yes: of an order, and of a payer to be kept. */
import type { ServerResponse } from 'node:http';
import type { World } from '../../../core/world.ts';
import { approve } from '../verbs/orders.ts';
import { approveSetup } from '../verbs/vault.ts';
import { accountOf, type Funding, type Order, type Row, type SetupToken } from '../world/rows.ts';

const FUNDINGS: readonly Funding[] = ['balance', 'bank', 'review', 'declined'];

export function servePage(
  world: World,
  method: string,
  url: URL,
  raw: string,
  response: ServerResponse,
): void {
  const form = new URLSearchParams(raw);
  const order = world.store.get<Row<Order>>('order', url.searchParams.get('token') ?? '');
  const setup = world.store.get<Row<SetupToken>>(
    'setup_token',
    url.searchParams.get('approval_session_id') ?? '',
  );
  const row = url.pathname === '/checkoutnow' ? order : url.pathname === '/agreements/approve' ? setup : null;
  if (!row) {
    sendPage(response, 404, '<h1>Things don’t appear to be working at the moment</h1>');
    return;
  }
  if (method === 'GET') {
    sendPage(response, 200, toForm(row));
    return;
  }
  const { returnUrl = '', cancelUrl = '' } = row.hidden;
  const isApproved = form.get('answer') === 'approve' || form.get('answer') === 'decline';
  if (isApproved) say(world, row, readFunding(form));
  world.store.commit();
  redirect(response, isApproved ? returnUrl : cancelUrl, toQuery(row, isApproved));
}

/** "Decline" is a yes with a way to pay that is refused when the money is taken. */
function readFunding(form: URLSearchParams): Funding {
  if (form.get('answer') === 'decline') return 'declined';
  return FUNDINGS.find((one) => one === form.get('funding')) ?? 'balance';
}

function say(world: World, row: Row<Order> | Row<SetupToken>, funding: Funding): void {
  world.begin(`page ${world.count('pages')}`);
  if (isOrder(row)) {
    const isWaiting = row.data.status === 'CREATED' || row.data.status === 'PAYER_ACTION_REQUIRED';
    if (isWaiting) approve(world, accountOf(world, row), row, funding);
  } else if (row.data.status === 'PAYER_ACTION_REQUIRED') approveSetup(world, row, funding);
}

function isOrder(row: Row<Order> | Row<SetupToken>): row is Row<Order> {
  return 'purchase_units' in row.data;
}

function toQuery(row: Row<Order> | Row<SetupToken>, isApproved: boolean): Record<string, string> {
  if (!isOrder(row)) return { approval_token_id: row.id, approval_session_id: row.id };
  const payer = row.data.payer?.payer_id;
  return { token: row.id, ...(isApproved && payer ? { PayerID: payer } : {}) };
}

function redirect(response: ServerResponse, base: string, query: Record<string, string>): void {
  if (!URL.canParse(base)) {
    sendPage(response, 200, '<h1>You can close this window</h1>');
    return;
  }
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  response.writeHead(303, { location: url.href }).end();
}

function toForm(row: Row<Order> | Row<SetupToken>): string {
  const amounts = isOrder(row)
    ? row.data.purchase_units.map(({ amount }) => `${amount.value} ${amount.currency_code}`).join(', ')
    : '';
  const status = row.data.status;
  return `<h1>PayPal</h1>
<p>${isOrder(row) ? `Pay ${amounts}` : 'Save PayPal for later'}</p>
<p>Status: ${status}</p>
<form method="post">
<label>Pay with <select name="funding">
<option value="balance">PayPal balance</option>
<option value="bank">Bank account (eCheck)</option>
<option value="review">Balance, under review</option>
</select></label>
<button name="answer" value="approve">Approve</button>
<button name="answer" value="cancel">Cancel</button>
<button name="answer" value="decline">Decline</button>
</form>`;
}

function sendPage(response: ServerResponse, status: number, body: string): void {
  const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>PayPal</title>';
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${head}<body>${body}</body></html>`);
}
