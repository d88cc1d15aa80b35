import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import type { Metrics } from './metrics.ts';
import { serveMetrics } from './metrics-pages.ts';

let app: TestApp;
let metrics: Metrics;
beforeAll(async () => {
  app = await createTestApp({ METRICS_TOKEN: 'a token of the operator' });
  if (!app.wired.metrics) throw new Error('metrics were asked for');
  metrics = app.wired.metrics;
});
afterAll(() => app.close());

it('O42 the event loop is looked at so seldom that a process which does nothing is hardly woken', async () => {
  const readMiddle = async () => {
    const text = await metrics.read();
    return Number(/^counterfoil_nodejs_eventloop_lag_p50_seconds (\S+)$/m.exec(text)?.[1]);
  };
  // Readings that are less than a look apart have seen nothing.
  await expect.poll(readMiddle, { interval: 200 }).toBeGreaterThan(0.04);
});

it('a port of its own serves metrics and nothing else', async () => {
  const port = 0;
  const served = await serveMetrics(metrics, { port, host: '127.0.0.1' });
  try {
    expect((await fetch(`${served.url}/metrics`)).status).toBe(200);
    expect((await fetch(`${served.url}/metrics?of=all`)).status).toBe(200);
    expect((await fetch(`${served.url}/v0/products/list`)).status).toBe(404);
  } finally {
    await served.close();
  }
});
