import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, FORMS, type TestDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { inScope, type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createIds } from '../../main/ids.ts';
import { finishMail } from '../../resources/mails/mails.queries.ts';
import { createWorkspace } from '../workspaces/create-workspace.ts';
import { type NewMail, queueMails, queueOwnerMails } from './queue-mail.ts';

const ids = createIds();
const NOW_MS = 1_767_225_600_000;
const OFFSET_MS = 5_000;
const TOLD = { kind: 'portal_guarded', params: { failures: 3 }, at: NOW_MS } as const;
let made: TestDatabase;
let store: Database;
let scope: Scope;

beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made.drop());

const mail = (key: string, to: string): NewMail => ({ ...TOLD, key, to, language: null });
const queue = (...mails: NewMail[]) => inTransaction(store.db, (tx) => queueMails(tx, scope, ids, mails));
const mailRows = () =>
  store.db
    .selectFrom('mails')
    .select(['id', 'key', 'recipient', 'status'])
    .where(inScope(scope))
    .orderBy('id')
    .execute();
const dueRows = () =>
  store.db
    .selectFrom('dueWork')
    .select(['kind', 'refId', 'dueMs', 'dueRealMs', 'fence', 'lane', 'queue'])
    .where(inScope(scope))
    .orderBy('refId')
    .execute();
const toDue = ({ id }: { id: string }) => ({
  kind: 'send_mail',
  refId: id,
  dueMs: NOW_MS,
  dueRealMs: NOW_MS - OFFSET_MS,
  fence: 0,
  lane: null,
  queue: null,
});

describe.each(FORMS)('mails in the %s form', (form) => {
  beforeAll(async () => {
    const limits = { maxConnections: 2, acquireTimeoutMs: 2_000, statementTimeoutMs: 10_000 };
    store = openDatabase({ ...made.poolConfig, ...limits, form });
    const owner = { ownerEmail: `${form}@owner.example`, ownerPasswordHash: 'not used' };
    const { workspaceId } = await inTransaction(store.db, (tx) =>
      createWorkspace(tx, ids, { name: form, ...owner, nowMs: NOW_MS }),
    );
    scope = { workspaceId, testMode: true };
    await store.db.updateTable('stores').set({ clockOffsetMs: OFFSET_MS }).where(inScope(scope)).execute();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.deleteFrom('mails').where(inScope(scope)).execute();
    await store.db.deleteFrom('dueWork').where(inScope(scope)).execute();
  });

  it('queues what is new, and of what is there already nothing', async () => {
    await queue(mail('one', 'a@buyer.example'));
    await queue(
      mail('one', 'a@buyer.example'),
      mail('one', 'b@buyer.example'),
      mail('two', 'a@buyer.example'),
    );
    await queue(mail('two', 'a@buyer.example'));
    const mails = await mailRows();
    expect(mails.map(({ key, recipient }) => [key, recipient])).toEqual([
      ['one', 'a@buyer.example'],
      ['one', 'b@buyer.example'],
      ['two', 'a@buyer.example'],
    ]);
    expect(await dueRows()).toEqual(mails.map(toDue));
  });

  it('writes in the shop’s language what names none, in English where mails are not written in that', async () => {
    const speak = (language: string | null) =>
      store.db
        .updateTable('stores')
        .set({ settings: toJson({ checkout: { defaultLanguage: language } }) })
        .where(inScope(scope))
        .execute();
    for (const language of ['pt-PT', 'sw', null]) {
      await speak(language);
      await queue(mail(String(language), 'a@buyer.example'));
    }
    await queue({ ...mail('named', 'a@buyer.example'), language: 'fr' });
    const rows = await store.db
      .selectFrom('mails')
      .select(['key', 'language'])
      .where(inScope(scope))
      .execute();
    expect(Object.fromEntries(rows.map(({ key, language }) => [key, language]))).toEqual({
      ...{ 'pt-PT': 'pt-BR', sw: 'en', null: 'en', named: 'fr' },
    });
  });

  it('queues one for the Owner, once', async () => {
    const told = { ...TOLD, key: 'told' };
    await inTransaction(store.db, (tx) => queueOwnerMails(tx, scope, [told]));
    await inTransaction(store.db, (tx) => queueOwnerMails(tx, scope, [told]));
    const mails = await mailRows();
    expect(mails.map(({ recipient }) => recipient)).toEqual([`${form}@owner.example`]);
    expect(await dueRows()).toEqual(mails.map(toDue));
  });

  it('writes what became of a mail with the end of its work, and nothing once the lease was lost', async () => {
    await queue(mail('one', 'a@buyer.example'));
    const [row] = await mailRows();
    const refId = row?.id ?? '';
    const claimed = { scope, kind: 'send_mail', refId, dueMs: NOW_MS, failures: 0, nowMs: NOW_MS } as const;
    const finish = (fence: number) =>
      inTransaction(store.db, (tx) =>
        finishMail(tx, { ...claimed, fence }, { id: refId, status: 'sent', sentAt: NOW_MS }),
      );
    await finish(7);
    expect(await mailRows()).toEqual([row]);
    expect(await dueRows()).toHaveLength(1);
    await finish(0);
    expect(await mailRows()).toEqual([{ ...row, status: 'sent' }]);
    expect(await dueRows()).toEqual([]);
  });
});
