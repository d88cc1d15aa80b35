/** A shop whose buyers agree, withdraw and cancel, and what its tests ask of it. */
import { expect } from 'vitest';
import { toTexts } from '../../src/domain/mails/kept-letter.ts';
import { buy } from './buying.ts';
import { advance } from './clock.ts';
import type { TestApp } from './harness.ts';
import { makeOffer } from './make-catalogue.ts';

export type LawShop = ReturnType<typeof createLawShop>;

/** `slug`: the name of its portal. */
export function createLawShop(app: TestApp, slug: string) {
  let buyers = 0;
  const newEmail = () => `buyer-${++buyers}@example.com`;
  const pass = (ms: number) => advance(app, app.test.scope, ms);
  /** Does what is due. */
  const settle = () => pass(1000);
  const set = (consumer: Record<string, unknown>) => app.test.patch('/v0/settings/update', { consumer });

  async function makeKeyed(): Promise<string> {
    const offerId = await makeOffer(app.test, { price: 2000 });
    const productKeys = [1, 2, 3, 4].map((n) => `LAW-KEY-${offerId.slice(-8)}-${n}`);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys });
    return offerId;
  }

  async function sell(offersIds: string[], body: Record<string, unknown> = {}) {
    const email = newEmail();
    const answer = await buy(app.test, { offersIds, userEmail: email, ...body });
    expect(answer.body.data?.order.status, answer.text).toBe('PAID');
    await settle();
    return { email, ...answer.body.data };
  }

  const orderOf = async (id: string) => (await app.test.get(`/v0/orders/${id}`)).body.data;
  const post = (path: string, body: Record<string, unknown>) =>
    app.test.request('POST', path, { keys: 'none', body: { store: slug, testMode: true, ...body } });

  function withdraw(body: Record<string, unknown>) {
    return post('/v0/portal/withdrawals', { name: 'Ada Lovelace', ...body });
  }

  function cancel(body: Record<string, unknown>) {
    return post('/v0/portal/cancellation-notices', { type: 'ordinary', name: 'Ada Lovelace', ...body });
  }

  /** States a withdrawal and answers its row as the merchant sees it. */
  async function withdrawFrom({ order, email }: { order: { number: string }; email: string }, body = {}) {
    const answer = await withdraw({ orderNumber: order.number, email, ...body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.withdrawal.id as string;
  }
  const withdrawalOf = async (id: string) =>
    (await app.test.get(`/v0/withdrawals/${id}`)).body.data.withdrawal;
  const noticeOf = async (id: string) =>
    (await app.test.get(`/v0/cancellation-notices/${id}`)).body.data.notice;
  const decide = (id: string, body: Record<string, unknown>) =>
    app.test.patch(`/v0/withdrawals/${id}/decide`, body);

  async function listMails(kind: string, to: string) {
    const rows = await app.service.db
      .selectFrom('mails')
      .selectAll()
      .where('kind', '=', kind)
      .where('recipient', '=', to)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ ...row, ...toTexts(row) }));
  }

  /** The path of the button in a mail's text. */
  function linkIn(plain: string | null, part: string): string {
    const [url] =
      new RegExp(`http://localhost:3000(/portal/\\S*${part}\\S+)`).exec(plain ?? '')?.slice(1) ?? [];
    expect(url, plain ?? '').toBeDefined();
    return url ?? '';
  }

  const beginDelivery = (orderId: string) =>
    app.service.db
      .updateTable('orderItems')
      .set({ deliveryBeganAt: 1 })
      .where('orderId', '=', orderId)
      .execute();
  return {
    newEmail,
    pass,
    settle,
    set,
    makeKeyed,
    sell,
    orderOf,
    withdraw,
    cancel,
    withdrawFrom,
    withdrawalOf,
    noticeOf,
    decide,
    listMails,
    linkIn,
    beginDelivery,
  };
}
