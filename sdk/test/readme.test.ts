/** The first lines of the package's page, as somebody who has just started a service runs them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { Counterfoil, CounterfoilError, hasCode } from '../src/index.ts';
import { startService } from './service.ts';

it("runs the first lines of the package's page on a fresh store", async () => {
  const page = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8');
  const [, block = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
  const text = block.replace(/^import .*$/m, '');
  const { outputText } = ts.transpileModule(`export {}; async () => { ${text} }`, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const said: unknown[][] = [];
  const names = ['Counterfoil', 'hasCode', 'console', 'baseUrl', 'publicKey', 'secretKey'];
  const play = new Function(
    ...names,
    `return (${outputText.replace('export {};', '').replace(/;\s*$/, '')})();`,
  );
  const service = await startService();
  try {
    const { publicKey, secretKey } = service.app.test.keys;
    const log = { log: (...words: unknown[]) => said.push(words) };
    await play(Counterfoil, hasCode, log, service.baseUrl, publicKey, secretKey);
    const orders = await service.shop().orders.list();
    expect(orders.data.map(({ number, value }) => [number, value])).toEqual(said);
    expect(orders.data.map((order) => order.refundedValue)).toEqual([500]);
  } finally {
    await service.close();
  }
});

it('says of an address without its scheme that it is none', () => {
  const pair = { publicKey: 'pub_test_x', secretKey: 'sec_test_x' };
  for (const baseUrl of ['pay.example', 'ftp://pay.example', '//pay.example', 'localhost:3000'])
    expect(() => new Counterfoil({ ...pair, baseUrl }), baseUrl).toThrow(CounterfoilError);
  for (const baseUrl of ['https://pay.example/', 'HTTP://[::1]:3000', '/behind'])
    expect(() => new Counterfoil({ ...pair, baseUrl }), baseUrl).not.toThrow();
});
