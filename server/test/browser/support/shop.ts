/** The real service on a real port, with a browser in front of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type { Browser } from 'playwright-core';
import { toJson } from '../../../src/db/scope.ts';
import type { SettingsChange } from '../../../src/domain/settings.ts';
import { createTestApp, type TestApp, type TestStore } from '../../support/harness.ts';
import { type Buyer, type BuyerOptions, closeTabs, openBrowser, openBuyer } from './browser.ts';

export interface Shop {
  app: TestApp;
  store: TestStore;
  origin: string;
  browser: Browser;
  openBuyer(options?: Omit<BuyerOptions, 'origin'>): Promise<Buyer>;
  /** Lays settings of the first workspace's test store over those it has. */
  changeSettings(settings: SettingsChange): Promise<void>;
  /** Moves the clock of the first workspace's test store on. */
  moveClock(byMs: number): Promise<void>;
  close(): Promise<void>;
}

/** `env` overrides settings, such as the limits, which are off. */
export async function openShop(env: Record<string, string> = {}): Promise<Shop> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const app = await createTestApp({ PUBLIC_URL: origin, ...env });
  await app.app.listen({ port, host: 'localhost' });
  const browser = await openBrowser();
  return {
    app,
    store: app.test,
    origin,
    browser,
    openBuyer: (options = {}) => openBuyer(browser, { origin, ...options }),
    changeSettings: async (settings) => {
      const { workspaceId, testMode } = app.test.scope;
      await app.service.db
        .updateTable('stores')
        .set({ settings: sql`settings || ${toJson(settings)}::jsonb` })
        .where('workspaceId', '=', workspaceId)
        .where('testMode', '=', testMode)
        .execute();
    },
    moveClock: async (byMs) => {
      const { workspaceId, testMode } = app.test.scope;
      await app.service.db
        .updateTable('stores')
        .set((eb) => ({ clockOffsetMs: eb('clockOffsetMs', '+', byMs) }))
        .where('workspaceId', '=', workspaceId)
        .where('testMode', '=', testMode)
        .execute();
    },
    close: async () => {
      await closeTabs(browser);
      await app.close();
    },
  };
}

/** The address is part of the links that the service writes, so it must be known before it starts. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A buyer's orders as the merchant's API lists them. */
export async function listOrders(shop: Shop, email: string): Promise<Array<Record<string, unknown>>> {
  const { body } = await shop.store.get('/v0/orders/list', { query: { term: email } });
  return body.data.orders;
}
