/** The first five minutes: start the built service with nothing set, and buy what it prints a link to. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeTabs, openBrowser, openBuyer } from './support/browser.ts';
import { fillIn, orderNumberOf, pay } from './support/checkout.ts';
import { findFreePort } from './support/shop.ts';

const START = fileURLToPath(new URL('../../dist/run/start.js', import.meta.url));

let dataDir: string;
let service: ChildProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-newcomer-'));
  const { DATABASE_URL: _elsewhere, ...env } = process.env;
  service = spawn(process.execPath, [START], {
    env: { ...env, ENV_FILE: '', PORT: String(await findFreePort()), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await waitForPrint(service, 'Counterfoil is ready');
});
afterAll(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

async function waitForPrint({ stdout }: ChildProcess, text: string): Promise<void> {
  let printed = '';
  for await (const chunk of stdout ?? []) {
    printed += chunk;
    if (printed.includes(text)) return;
  }
  throw new Error(`the service ended before it printed "${text}": ${printed}`);
}

it('lets a newcomer buy from the printed link, and read the order with the printed keys', async () => {
  const credentials = JSON.parse(await readFile(path.join(dataDir, 'credentials.json'), 'utf8'));
  const browser = await openBrowser();
  const buyer = await openBuyer(browser, { origin: credentials.baseUrl });
  const page = await buyer.newTab();
  await page.goto(credentials.checkoutUrl);
  await page.getByText('Nebula Games').first().waitFor();
  await fillIn(page, { email: 'newcomer@example.com' });
  await pay(page);
  const number = await orderNumberOf(page);
  expect(await page.locator('code').allTextContents()).toHaveLength(1);
  expect(buyer.problems).toEqual([]);
  await closeTabs(browser);
  const answer = await fetch(`${credentials.baseUrl}/v0/orders/%23${number}`, {
    headers: {
      'x-svc-public-key': credentials.test.publicKey,
      'x-svc-secret-key': credentials.test.secretKey,
    },
  });
  const { data } = (await answer.json()) as { data: { order: { status: string; number: string } } };
  expect(data.order).toMatchObject({ status: 'PAID', number });
});
