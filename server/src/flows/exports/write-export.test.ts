import { existsSync, mkdtempSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../../test/support/buying.ts';
import { createExporting, type Exporting, parseCsv } from '../../../test/support/exporting.ts';
import { type Answer, createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';
import { exportedLists } from '../../api/routes.ts';
import { toPath } from '../../providers/files/disk.ts';
import { byRow } from '../../worker/job.ts';
import { createWorker } from '../../worker/worker.ts';
import { createExporter, EXPORT_LIMITS, type ExportLimits } from './write-export.ts';

const ORDERS = 7;

let app: TestApp;
let exporting: Exporting;
const dataDir = mkdtempSync(path.join(tmpdir(), 'exports-'));
beforeAll(async () => {
  app = await createTestApp({ DATA_DIR: dataDir });
  exporting = createExporting(app);
  const offerId = await makeOffer(app.test);
  for (let n = 0; n < ORDERS; n += 1) await buy(app.test, { offersIds: [offerId] });
});
afterAll(() => app.close());
afterEach(async () => {
  await app.service.db.deleteFrom('exports').execute();
  await app.service.db.deleteFrom('dueWork').where('kind', '=', 'write_export').execute();
});

const listOrders = async () => (await app.test.get('/v0/orders/list?take=100')).body.data.orders;

/** A worker whose exports stop where a test wants them to. */
const workerWith = (limits: Partial<ExportLimits>) =>
  createWorker({
    service: app.service,
    jobs: { write_export: byRow(createExporter(exportedLists, { ...EXPORT_LIMITS, ...limits })) },
  });

describe('the job', () => {
  it('gives its slot back after each stretch, and goes on where it was', async () => {
    const orders = await listOrders();
    const id = await exporting.begin();
    await workerWith({ stretchMs: 0, pageRows: 2 }).runDue();
    const rows = parseCsv(await exporting.fetchFile((await exporting.show(id)).url));
    expect(rows.map(({ id: one }) => one)).toEqual(orders.map(({ id: one }: Answer['body']) => one));
  });

  it('goes on from what was noted when a process was killed in the midst of it', async () => {
    const orders = await listOrders();
    for (const isLost of [false, true]) {
      const id = await exporting.begin();
      const [row] = await app.service.db.selectFrom('exports').selectAll().execute();
      expect(row).toBeDefined();
      if (!row) return;
      await workerWith({ stretchMs: 0, pageRows: 3, failuresMax: 1 }).stop();
      // One stretch, by a worker that dies before it gives its row back.
      const works = await app.service.db.selectFrom('dueWork').selectAll().where('refId', '=', id).execute();
      const work = { ...works[0], kind: 'write_export' as const, refId: id, scope: app.test.scope };
      const claimed = { fence: 0, failures: 0, dueMs: Date.now(), ...work, nowMs: Date.now() };
      await createExporter(exportedLists, { ...EXPORT_LIMITS, stretchMs: 0, pageRows: 3 })(
        { ...app.service, nowMs: Date.now() },
        claimed,
      );
      const place = toPath(dataDir, row);
      // It had begun the next page, or the disk has lost what the store knows of.
      if (isLost) await truncate(place, 5);
      else await writeFile(place, 'half a row of the next pa', { flag: 'a' });
      await app.wired.worker.runDue();
      const rows = parseCsv(await exporting.fetchFile((await exporting.show(id)).url));
      expect(rows.map(({ id: one }) => one)).toEqual(orders.map(({ id: one }: Answer['body']) => one));
    }
  });

  it('ends a file that grows too large, and leaves nothing of it on disk', async () => {
    const id = await exporting.begin();
    await workerWith({ bytesMax: 500 }).runDue();
    expect(await exporting.show(id)).toMatchObject({ status: 'failed', reason: 'too_large', url: null });
    expect(existsSync(toPath(dataDir, { ...app.test.scope, id }))).toBe(false);
  });

  it('ends what the list refuses since it was asked for', async () => {
    const id = await exporting.begin();
    const query = 'number=!!';
    await app.service.db.updateTable('exports').set({ query }).execute();
    await app.wired.worker.runDue();
    expect(await exporting.show(id)).toMatchObject({ status: 'failed', reason: 'invalid_input' });
  });

  it('asks the store as often for ten rows of a page as for one, and holds one page', async () => {
    const count = async (pageRows: number) => {
      let asked = 0;
      let widest = 0;
      const counting: typeof exportedLists = (resource) => {
        const list = exportedLists(resource);
        return {
          ...list,
          read: async (ctx, scope, page) => {
            asked += 1;
            const found = await list.read(ctx, scope, page);
            widest = Math.max(widest, found.rows.length);
            return found;
          },
        };
      };
      await exporting.begin({ columns: ['id'] });
      const job = byRow(createExporter(counting, { ...EXPORT_LIMITS, pageRows }));
      await createWorker({ service: app.service, jobs: { write_export: job } }).runDue();
      await app.service.db.deleteFrom('exports').execute();
      return { asked, widest };
    };
    expect(await count(3)).toEqual({ asked: Math.ceil(ORDERS / 3), widest: 3 });
    expect(await count(100)).toEqual({ asked: 1, widest: ORDERS });
  });
});
