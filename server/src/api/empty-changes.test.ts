/** A change that changes nothing: it is answered with the object as it is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAccount, openBrowser, PASSWORD } from '../../test/support/browser.ts';
import { openStripeApp, type StripeApp } from '../../test/support/stripe-app.ts';

let opened: StripeApp;
beforeAll(async () => {
  opened = await openStripeApp();
});
afterAll(() => opened.close());

it('of an account leaves it as it is', async () => {
  const { app } = opened;
  const email = 'root@first.example';
  await makeAccount(app, { email, installationAdmin: true });
  const accountId = await makeAccount(app, { email: 'other@first.example', name: 'Other' });
  const admin = openBrowser(app);
  await admin.signIn(email, PASSWORD);
  const { status, text, body } = await admin.patch(`/v0/installation/accounts/${accountId}/update`, {});
  expect(status, text).toBe(200);
  expect(body.data.account).toMatchObject({ id: accountId, name: 'Other' });
});

it('of a connection leaves it as it is', async () => {
  const { app, processorId } = opened;
  for (const sent of [{}, { id: processorId }]) {
    const { status, text, body } = await app.test.patch(`/v0/processors/${processorId}/update`, sent);
    expect(status, text).toBe(200);
    expect(body.data.processor).toMatchObject({ name: 'Cards', status: 'active' });
  }
});
