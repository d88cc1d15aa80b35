/** Copies of a store: how they are known, and what the operator's word makes of them. */
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readDataDirId } from '../../src/db/embedded/data-dir-id.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { HeldReason } from '../../src/domain/held.ts';
import { holdIfCopied, type Present } from '../../src/flows/quarantine/hold-if-copied.ts';
import { type Resuming, resume } from '../../src/flows/quarantine/resume.ts';
import { issueKeyPair } from '../../src/flows/workspaces/issue-key-pair.ts';
import type { KeyPairPlain } from '../../src/resources/api-keys/key-pairs.ts';
import { updateInstallationState } from '../../src/resources/installation/held.queries.ts';
import { openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';

const REMEMBERED_MS = 10_000;
const ACCOUNT = { kind: 'manual', name: 'Bank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
const HERE: Present = { dataDirId: 'a.1', publicUrl: null };

let app: TestApp;
let receiver: Receiver;
let payments: KeyPairPlain;
let offerId: string;
let grownOldMs = 0;
const folders: string[] = [];

beforeAll(async () => {
  receiver = await createReceiver();
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.1/32' }, undefined, {
    monotonicMs: () => performance.now() + grownOldMs,
  });
  const terms = {
    ...{ name: 'Payments', nowMs: Date.now(), scopes: ['processors:write'], readRequiresSecret: false },
    amounts: 'minor' as const,
  };
  payments = await inTransaction(app.service.db, (tx) =>
    issueKeyPair(tx, app.live.scope, { ids: app.service.ids, terms }),
  );
  const bank = { ...ACCOUNT, holder: 'Muster GmbH', dueDays: 10 };
  await app.live.post('/v0/processors/connect', bank, { keys: payments });
  offerId = await makeOffer(app.live, { price: 500, currency: 'EUR', taxBehavior: 'inclusive' });
});
afterEach(async () => {
  await expectInvariants(app);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const start = (present: Present) =>
  holdIfCopied(app.service.db, { present, remembered: null, nowMs: app.service.realNowMs() });

async function say(as: Resuming['as'], more: Partial<Resuming> = {}) {
  const asked = {
    workspaceId: null,
    present: HERE,
    skip: 1000,
    sendOld: false,
    nowMs: Date.now(),
    ids: app.service.ids,
  };
  const done = await resume(app.service.db, { as, ...asked, ...more });
  grownOldMs += REMEMBERED_MS;
  return done;
}

async function forget(): Promise<void> {
  await inTransaction(app.service.db, (tx) =>
    updateInstallationState(tx, {
      ...{ systemIdentifier: null, dataDirId: null, publicUrl: null },
      ...{ heldSince: null, heldReason: null, isCopy: false },
    }),
  );
  grownOldMs += REMEMBERED_MS;
}

/** A live sale that was paid outside; answers its invoice's number. */
async function sell(): Promise<string> {
  const page = await openPage(app, `/checkout/${offerId}`);
  const submitted = await page.submit({ card: undefined, payment: { option: 'transfer' } });
  expect(submitted.status, submitted.text).toBe(200);
  const { order } = submitted.body.data.checkout;
  const [payment] = (await app.live.get(`/v0/orders/${order.id}`)).body.data.payments;
  const received = { amount: 500, receivedAt: Date.now(), reference: 'T-1' };
  const { body } = await app.live.post(`/v0/payments/${payment.id}/receive`, received);
  return body.data.payment.invoiceNumber;
}

const numberOf = (invoice: string) => Number(invoice.split('-').at(-1));

describe('a start', () => {
  it('O29 knows a copied folder, and not one that was only moved or is served at another port', async () => {
    await forget();
    const folder = await mkdtemp(path.join(os.tmpdir(), 'copied-'));
    folders.push(folder);
    await mkdir(path.join(folder, 'here'));
    const idOf = (at: string) => readDataDirId(path.join(folder, at, 'postgres'));
    const present = { dataDirId: await idOf('here'), publicUrl: null };
    expect(await start(present)).toBeNull();
    expect(await start({ ...present, dataDirId: await idOf('here') })).toBeNull();
    await cp(path.join(folder, 'here'), path.join(folder, 'copied'), { recursive: true });
    const copied = await idOf('copied');
    await rename(path.join(folder, 'here'), path.join(folder, 'moved'));
    expect(await start({ ...present, dataDirId: await idOf('moved') })).toBeNull();
    expect(await start({ ...present, dataDirId: copied })).toBe('data_dir');
    // It stays so until somebody says what it is.
    expect(await start(present)).toBe('data_dir');
    await say('same', { present: { ...present, dataDirId: copied } });
    expect(await start({ ...present, dataDirId: copied })).toBeNull();
    await forget();
  });

  it('O29 knows another public address of a store that has sold, and takes the first one as it is', async () => {
    await forget();
    expect(await start(HERE)).toBeNull();
    const at = (publicUrl: string | null) => start({ ...HERE, publicUrl });
    expect(await at('https://shop.example')).toBeNull();
    expect(await at('https://new.example')).toBeNull();
    await sell();
    expect(await at('https://new.example')).toBeNull();
    expect(await at(null)).toBeNull();
    expect(await at('https://new.example')).toBeNull();
    expect(await at('https://staging.example')).toBe('public_url');
    await say('same', { present: { ...HERE, publicUrl: 'https://staging.example' } });
    expect(await at('https://staging.example')).toBeNull();
    await forget();
  });

  it('knows a store that lies in another PostgreSQL', async () => {
    await forget();
    expect(await start(HERE)).toBeNull();
    await app.service.db.updateTable('installationState').set({ systemIdentifier: '1' }).execute();
    expect(await start(HERE)).toBe('system_identifier');
    await forget();
  });
});

describe('the operator’s word', () => {
  const hold = (workspaceId = app.live.scope.workspaceId) =>
    app.service.db
      .updateTable('stores')
      .set({ heldSince: Date.now(), heldReason: 'restored' })
      .where('testMode', '=', false)
      .where('workspaceId', '=', workspaceId)
      .execute();

  it('O31 --restored gives out no invoice number of the lost one, and --same goes on with the next', async () => {
    const before = numberOf(await sell());
    await hold();
    expect((await say('same')).skipped).toEqual([]);
    expect(numberOf(await sell())).toBe(before + 1);
    await hold();
    const { skipped } = await say('restored');
    expect(skipped.map(({ from, to }) => to - from + 1)).toEqual([1000, 1000]);
    expect(numberOf(await sell())).toBe(before + 1002);
    const { epoch } = await app.service.db
      .selectFrom('installationState')
      .select('epoch')
      .executeTakeFirstOrThrow();
    expect(epoch).toBe(1);
    await hold();
    await say('restored', { skip: 7 });
    expect(numberOf(await sell())).toBe(before + 1010);
  });

  it('--restored sends nothing that the lost one may have sent, but where that is said', async () => {
    await app.live.post('/v0/webhooks/create', { url: `${receiver.url}/r`, events: ['payment_success'] });
    await app.wired.worker.runDue();
    receiver.requests.length = 0;
    await sell();
    await hold();
    const { mails, deliveries } = await say('restored', { skip: 0 });
    expect([mails > 0, deliveries]).toEqual([true, 1]);
    await app.wired.worker.runDue();
    expect(receiver.requests).toHaveLength(0);
    const dropped = await app.service.db
      .selectFrom('webhookDeliveries')
      .select('reason')
      .where('status', '=', 'dropped')
      .execute();
    expect(dropped).toEqual([{ reason: 'restored' }]);
    await sell();
    await hold();
    await say('restored', { skip: 0, sendOld: true });
    await app.wired.worker.runDue();
    expect(receiver.requests).toHaveLength(1);
  });

  it('--restored marks all events from then on, as sent and as read, and --same none', async () => {
    const tellLast = async () => {
      await sell();
      await app.wired.worker.runDue();
      const [sent] = receiver.requests.slice(-1);
      const [read] = (await app.live.get('/v0/events/list')).body.data.events;
      expect(JSON.parse(String(sent?.raw)).epoch).toBe(read.epoch);
      return read.epoch as number | undefined;
    };
    const before = (await tellLast()) ?? 0;
    await hold();
    await say('same');
    expect((await tellLast()) ?? 0).toBe(before);
    await hold();
    await say('restored', { skip: 0 });
    expect(await tellLast()).toBe(before + 1);
  });

  it('is asked of what is held alone, and refused where it fits nothing', async () => {
    await expect(say('same')).rejects.toThrow('Nothing of that is held.');
    await hold();
    const { workspaceId } = app.live.scope;
    await expect(say('same', { workspaceId: app.other.scope.workspaceId })).rejects.toThrow('Nothing');
    await expect(say('copy', { workspaceId })).rejects.toThrow('leave --workspace out');
    expect(await say('same', { workspaceId })).toMatchObject({ stores: 1 });
  });

  it('--same of the whole leaves held what is held alone: it may have been restored beside the others', async () => {
    const { workspaceId } = app.live.scope;
    await hold();
    await inTransaction(app.service.db, (tx) =>
      updateInstallationState(tx, { heldSince: Date.now(), heldReason: 'operator' }),
    );
    expect(await say('same')).toMatchObject({ stillHeld: [workspaceId] });
    await expectRefusal(
      app.live.post('/v0/products/create', { type: 'SoftwareKey', name: 'N' }),
      503,
      'store_held',
    );
    expect(await say('restored', { workspaceId, skip: 0 })).toMatchObject({ stores: 1, stillHeld: [] });
    expect((await app.live.post('/v0/products/create', { type: 'SoftwareKey', name: 'N' })).status).toBe(200);
  });

  it('--same lets go what is held alone for one reason, and names what is held for several', async () => {
    const ids = [app.live.scope.workspaceId, app.other.scope.workspaceId];
    const nowHeld = async (reasons: readonly HeldReason[]) => {
      for (const [place, id] of ids.entries()) {
        await hold(id);
        await app.service.pool.query(
          'update stores set held_reason = $2 where workspace_id = $1 and held_since is not null',
          [id, reasons[place]],
        );
      }
    };
    await nowHeld(['operator', 'restored']);
    const refused = await say('same').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      name: 'ResumeError',
      message: expect.stringContaining('--workspace ID'),
    });
    for (const id of ids) expect(String(refused)).toContain(id);
    const countHeld = async () =>
      (
        await app.service.db
          .selectFrom('stores')
          .select('testMode')
          .where('heldSince', 'is not', null)
          .execute()
      ).length;
    expect(await countHeld()).toBe(2);
    await say('same', { workspaceId: ids[0] ?? null });
    expect(await say('same')).toMatchObject({ stores: 1 });
    expect(await countHeld()).toBe(0);
    // As an archive of all workspaces leaves them.
    await nowHeld(['restored', 'restored']);
    expect(await say('same')).toMatchObject({ stores: 2, stillHeld: [] });
  });

  it('O29 --copy is another installation to processors, in its test stores too; the other two stay the same', async () => {
    const installIds = async () =>
      (await app.service.db.selectFrom('stores').select('installId').execute()).map(
        (store) => store.installId,
      );
    const before = await installIds();
    for (const as of ['same', 'restored'] as const) {
      await hold();
      await say(as);
      expect((await installIds()).sort()).toEqual([...before].sort());
    }
    await inTransaction(app.service.db, (tx) =>
      updateInstallationState(tx, { heldSince: Date.now(), heldReason: 'data_dir' }),
    );
    await say('copy');
    const after = await installIds();
    expect(after.filter((installId) => before.includes(installId))).toEqual([]);
    expect(new Set(after).size).toBe(before.length);
  });

  it('O29 --copy leaves no credential of a live account, and lets none in', async () => {
    await hold();
    await app.service.db
      .updateTable('processors')
      .set({ credentials: 'v1.x.y' })
      .where('testMode', '=', false)
      .execute();
    await inTransaction(app.service.db, (tx) =>
      updateInstallationState(tx, { heldSince: Date.now(), heldReason: 'data_dir' }),
    );
    await say('copy');
    const left = await app.service.db
      .selectFrom('processors')
      .select('credentials')
      .where('testMode', '=', false)
      .execute();
    expect(left).toEqual([{ credentials: 'lost' }]);
    const { body } = await app.live.get('/v0/webhooks/list');
    expect(body.data.webhooks.map(({ status }: { status: string }) => status)).toEqual(['inactive']);
    const credentials = {
      secretKey: `sk_live_${'a'.repeat(24)}`,
      publishableKey: `pk_live_${'a'.repeat(24)}`,
    };
    await expectRefusal(
      app.live.post('/v0/processors/connect', { kind: 'stripe', name: 'S', credentials }, { keys: payments }),
      400,
      'processor_key_of_a_copy',
    );
    expect(await start(HERE)).toBeNull();
  });
});
