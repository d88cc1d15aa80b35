/** What Stripe's dashboard does to refunds, and the comparison that finds it. */
import { expect } from 'vitest';
import type { TestApp } from './harness.ts';
import type { StripeAccount, StripeDouble } from './stripe-double.ts';

const DAY_MS = 86_400_000;

/** Id of the new refund. `ownId` is the refund of ours that its metadata name; the dashboard knows of none. */
export async function refundInDashboard(
  { double, account }: { double: StripeDouble; account: StripeAccount },
  { object, amount, ownId }: { object: string; amount: number; ownId?: string },
): Promise<string> {
  const answer = await fetch(`${double.apiUrl}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: new URLSearchParams({
      ...{ payment_intent: object, amount: String(amount) },
      ...(ownId === undefined ? {} : { 'metadata[cf_refund]': ownId }),
    }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

/** The report on the day that ends now. The end is no part of what is compared. */
export async function reconcileUntilNow(app: TestApp, processorId: string) {
  const to = app.service.realNowMs();
  const { body, text } = await app.test.post(`/v0/processors/${processorId}/reconcile`, {
    ...{ from: to - DAY_MS, to },
  });
  expect(body.data, text).toBeDefined();
  return body.data.report;
}
