/** The two ways a purchase is made in tests: through the API, and as the checkout page does it. */
import type { Answer, TestApp, TestStore } from './harness.ts';

/** Buys with the sandbox; a visa card of a buyer in Germany unless said otherwise. */
export function buy(store: TestStore, body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return store.post(
    '/v0/test-purchases/create',
    { userEmail: 'ada@example.com', billingDetails: { countryCode: 'DE' }, ...body },
    { headers },
  );
}

/** A card as a buyer types it. */
export function card(number: string) {
  return { number, expiry: '12/35', cvc: /^3[47]/.test(number) ? '1234' : '123', name: 'Ada Lovelace' };
}

export const VISA = '4242424242424242';

/** A page of the checkout that was opened by a link. */
export interface OpenPage {
  /** The word of its link. */
  token: string;
  pagePath: string;
  show(): Promise<Answer>;
  /** What the page itself is given, with what the link brought along. */
  look(): Promise<{
    status: string;
    form: Record<string, unknown>;
    items: Array<{ quantity: number }>;
    againUrl?: string | null;
    link: Record<string, unknown>;
  }>;
  quote(form?: Record<string, unknown>): Promise<Answer>;
  /** Submits the form of a buyer in Germany with a visa card, over which `fields` are laid. */
  submit(fields?: Record<string, unknown>): Promise<Answer>;
  confirm(): Promise<Answer>;
}

/** Follows a checkout link, such as `/checkout/<offer>`, as a browser does. */
export async function openPage(
  { app, test }: TestApp,
  link: string,
  headers: Record<string, string> = {},
): Promise<OpenPage> {
  const response = await app.inject({ method: 'GET', url: link, headers });
  return pageAt({ app, test } as TestApp, String(response.headers.location), headers);
}

/** The page at an address, such as that of a checkout which was prepared. */
export function pageAt(
  { app, test }: TestApp,
  location: string,
  headers: Record<string, string> = {},
): OpenPage {
  const [pagePath = ''] = location.split('?');
  const token = pagePath.split('/').at(-1) ?? '';
  const path = `/checkout-sessions/${token}`;
  const post = (action: string, body: Record<string, unknown>) =>
    test.request('POST', `${path}/${action}`, { keys: 'none', body, headers });
  const form = { email: 'ada@example.com', countryCode: 'DE' };
  return {
    token,
    pagePath,
    show: () => test.request('GET', path, { keys: 'none' }),
    look: async () => readState((await app.inject({ method: 'GET', url: location })).payload),
    quote: (fields = {}) => post('quote', { ...form, ...fields }),
    submit: (fields = {}) => post('submit', { ...form, card: card(VISA), ...fields }),
    confirm: () => post('confirm', {}),
  };
}

/** The state that a page of ours carries. */
export function readState(html: string) {
  return JSON.parse(/<script type="application\/json" id="state">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
}

/** Answers the sandbox's authentication page of a charge, whose address `payUrl` or the page's action gives. */
export async function authenticate({ app }: TestApp, path: string, result: 'approve' | 'reject') {
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `result=${result}`,
  });
  return { status: response.statusCode, location: response.headers.location };
}

/** Answers the authentication that a charge waits for. Its page is found in the sandbox's books: the id opens none. */
export async function authenticateCharge(app: TestApp, chargeId: string, result: 'approve' | 'reject') {
  return authenticate(app, await findAuthentication(app, chargeId), result);
}

/** The authentication page of a charge that asked for one. */
export async function findAuthentication({ service }: TestApp, chargeId: string): Promise<string> {
  const { rows } = await service.pool.query<{ action_token: string | null }>(
    'select action_token from sandbox_charges where id = $1',
    [chargeId],
  );
  return `/sandbox/authenticate/${rows[0]?.action_token}`;
}

export interface Told {
  id: string;
  type: string;
  body: Record<string, unknown>;
}

/** The events of an order in the order in which they were told. */
export async function listTold({ service }: TestApp, orderId: string): Promise<Told[]> {
  const rows = await service.db
    .selectFrom('events')
    .select(['id', 'type', 'body'])
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ id, type, body }) => ({
    id,
    type,
    body: JSON.parse(body ?? '') as Record<string, unknown>,
  }));
}

/** What the sandbox itself has taken: its own books, not ours. */
export async function listTaken({ service }: TestApp): Promise<Array<{ id: string; amount: number }>> {
  const { rows } = await service.pool.query<{ id: string; amount: string }>(
    `select id, amount::text as amount from sandbox_charges where status = 'succeeded' order by created_at, id`,
  );
  return rows.map(({ id, amount }) => ({ id, amount: Number(amount) }));
}
