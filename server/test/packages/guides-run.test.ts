/** What the guides tell to run, as it stands: each page in a store of its own, and all of them in one. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { seedDemo } from '../../src/main/seed-demo.ts';
import { findFreePort } from '../faults/service-process.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { type Block, installProgram, listBlocks, listPages, runBlock } from './guide-blocks.ts';
import { installSdk } from './sdk-packed.ts';

/** Its blocks run on the server beside a page: embed-guides.test.ts tries it in a browser. */
const IN_BROWSER = 'docs/guides/checkout-in-your-page.md';
/** Its blocks are receivers, each of which is started and sent to: webhook-guide.test.ts. */
const RECEIVERS = 'docs/guides/webhooks.md';
const RUN = /^(js|sh) run$/;
const isRun = ({ mark }: Block) => RUN.test(mark);
const PAGES = listPages().filter(
  (page) => page !== IN_BROWSER && page !== RECEIVERS && listBlocks(page).some(isRun),
);
const WORK_EVERY_MS = 100;

let packed: string;

beforeAll(async () => {
  ({ folder: packed } = await installSdk());
  await installProgram(packed);
}, 600_000);

afterAll(() => rm(packed, { recursive: true, force: true }));

it.each(PAGES)('X38 X40 what %s tells to run prints what it says', async (page) => {
  const shop = await openShop();
  try {
    await follow(page, shop);
  } finally {
    await shop.close();
  }
});

it('X38 the guides can be followed one after the other in the store that a first start fills', async () => {
  const shop = await openShop();
  try {
    const { service } = shop;
    const ctx = { ...service.service, nowMs: service.service.realNowMs() };
    await inTransaction(ctx.db, (tx) => seedDemo(ctx, service.test.scope, tx));
    const { payload: inOrder } = await service.app.inject('/llms.txt');
    const place = (page: string) => inOrder.indexOf(`/${page.replace(/\.md$/, '')}`);
    for (const page of PAGES.toSorted((one, other) => place(one) - place(other))) await follow(page, shop);
  } finally {
    await shop.close();
  }
}, 600_000);

interface Shop {
  service: TestApp;
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

async function openShop(): Promise<Shop> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const service = await createTestApp({ PUBLIC_URL: baseUrl });
  await service.app.listen({ host: '127.0.0.1', port });
  const { publicKey, secretKey } = service.test.keys;
  const worker = startWorker(service);
  return {
    service,
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      COUNTERFOIL_BASE_URL: baseUrl,
      COUNTERFOIL_PUBLIC_KEY: publicKey,
      COUNTERFOIL_SECRET_KEY: secretKey,
    },
    close: async () => {
      await worker.stop();
      service.app.server.closeAllConnections();
      await service.close();
    },
  };
}

/** Runs the blocks of a page in a folder of its own. */
async function follow(page: string, { env }: Shop): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-guide-'));
  await cp(packed, folder, { recursive: true, verbatimSymlinks: true });
  try {
    const blocks = listBlocks(page);
    for (const [at, block] of blocks.entries()) {
      if (!isRun(block)) continue;
      const printed = await runBlock(block, { folder, env: { ...env, HOME: folder } });
      const said = blocks[at + 1];
      if (said?.mark === 'output') expect(printed, page).toBe(said.code);
      else expect(block.mark, 'JavaScript says what it prints').toBe('sh run');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is due is done, as beside a service that was started. */
function startWorker({ wired: { worker } }: TestApp): { stop(): Promise<void> } {
  let isOver = false;
  const working = (async () => {
    while (!isOver) {
      await worker.runDue();
      await wait(WORK_EVERY_MS);
    }
  })();
  return {
    stop: () => {
      isOver = true;
      return working;
    },
  };
}
