/** A live store that sells without anybody outside: its buyers pay into an account at a bank. */

import { expect } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { issueKeyPair } from '../../src/flows/workspaces/issue-key-pair.ts';
import type { KeyPairPlain } from '../../src/resources/api-keys/key-pairs.ts';
import { openPage } from './buying.ts';
import type { TestApp, TestStore } from './harness.ts';
import { makeOffer } from './make-catalogue.ts';

const BANK = { kind: 'manual', name: 'Bank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };

/** Answers the id of what it offers. */
export async function openLive(app: TestApp): Promise<string> {
  const keys = await issue(app, ['processors:write']);
  const connected = await app.live.post(
    '/v0/processors/connect',
    { ...BANK, holder: 'M GmbH', dueDays: 10 },
    { keys },
  );
  expect(connected.status, connected.text).toBe(200);
  return makeOffer(app.live, { price: 500, currency: 'EUR', taxBehavior: 'inclusive' });
}

/** A key pair with these scopes alone. */
export function issue(app: TestApp, scopes: string[]): Promise<KeyPairPlain> {
  const terms = {
    name: 'P',
    nowMs: Date.now(),
    scopes,
    readRequiresSecret: false,
    amounts: 'minor' as const,
  };
  return inTransaction(app.service.db, (tx) =>
    issueKeyPair(tx, app.live.scope, { ids: app.service.ids, terms }),
  );
}

/** A live sale that is paid outside; answers its invoice's number. */
export async function sell(app: TestApp, offerId: string, store: TestStore = app.live): Promise<string> {
  const page = await openPage(app, `/checkout/${offerId}`);
  const submitted = await page.submit({ card: undefined, payment: { option: 'transfer' } });
  expect(submitted.status, submitted.text).toBe(200);
  const { order } = submitted.body.data.checkout;
  const [payment] = (await store.get(`/v0/orders/${order.id}`)).body.data.payments;
  const received = { amount: 500, receivedAt: Date.now(), reference: 'T-1' };
  const { body } = await store.post(`/v0/payments/${payment.id}/receive`, received);
  return body.data.payment.invoiceNumber;
}
