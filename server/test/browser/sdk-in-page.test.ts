import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startService, startStub } from '../../../sdk/test/service.ts';
import { bundle, EXPECTED, installSdk } from '../packages/sdk-packed.ts';
import { closeTabs, openBrowser } from './support/browser.ts';

it('X10 runs in Chromium', async () => {
  const service = await startService();
  const { folder } = await installSdk();
  const { publicKey, secretKey } = service.app.test.keys;
  const script = await bundle(folder, `import { probe } from './probe.mjs'; globalThis.probe = probe;`);
  // A page and the service beneath one origin, as behind a proxy.
  const site = await startStub((asked, reply) => {
    if (asked.url === '/') return reply.setHeader('content-type', 'text/html').end('<title>Shop</title>');
    const { method = 'GET', url, headers } = asked;
    const passed = Object.entries(headers).filter(([name]) =>
      /^(x-svc-|content-type|idempotency)/.test(name),
    );
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', async () => {
      const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) };
      const answer = await fetch(service.baseUrl + url, {
        method,
        headers: passed as Array<[string, string]>,
        ...body,
      });
      reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.addScriptTag({ content: script, type: 'module' });
    await page.waitForFunction(() => 'probe' in globalThis);
    const ask = (options: object) =>
      page.evaluate(
        (given) =>
          (globalThis as unknown as { probe: (options: object) => Promise<string> })
            .probe(given)
            .catch(String),
        options,
      );
    const options = { baseUrl: site.url, publicKey, secretKey };
    expect(await ask({ ...options, dangerouslyAllowBrowser: true })).toBe(EXPECTED);
    expect(await ask(options)).toMatch(/must not be put into a page/);
  } finally {
    await closeTabs(browser);
    await site.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
});
