/** The samples in TypeScript of the description and of the packages' pages, held to the packages' own types. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';
import { type Description, listDescribed } from '../../../scripts/described.ts';
import { ROOT } from '../../../scripts/source-files.ts';
import type { Shown } from '../../src/http/description/examples.ts';

const read = (name: string) => JSON.parse(readFileSync(`${ROOT}/docs/${name}.json`, 'utf8'));
// Both are generated, and their shapes are known.
const { paths } = read('openapi') as Description;
const examples = read('openapi-examples') as Record<string, Shown>;

const folder = mkdtempSync(join(tmpdir(), 'samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  typeRoots: [`${ROOT}/node_modules/@types`],
  jsx: ts.JsxEmit.ReactJSX,
  paths: {
    '@counterfoil/embed': [`${ROOT}/embed/src/load-counterfoil.ts`],
    '@counterfoil/embed/react': [`${ROOT}/embed/src/react.tsx`],
    'react/jsx-runtime': [`${ROOT}/node_modules/@types/react/jsx-runtime.d.ts`],
    '@counterfoil/sdk': [`${ROOT}/sdk/src/index.ts`],
    '@counterfoil/sdk/webhooks': [`${ROOT}/sdk/src/webhooks.ts`],
  },
};

/** What the compiler finds wrong in each text, by its name. */
function compile(texts: Readonly<Record<string, string>>): string[] {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, /\.tsx?$/.test(name) ? name : `${name}.ts`);
    writeFileSync(file, `${text}\nexport {};\n`);
    return file;
  });
  const program = ts.createProgram(files, OPTIONS);
  return files.flatMap((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(
        ({ messageText }) =>
          `${file.split('/').at(-1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      ),
  );
}

it('X03 R10 each operation of a key pair shows a call of the SDK, and each of them compiles', () => {
  const called = listDescribed(paths).filter(({ one }) => one['x-sdk'] !== false);
  const texts = Object.fromEntries(
    called.map(({ one: { operationId } }) => {
      const sample = examples[operationId]?.samples.find(({ lang }) => lang === 'TypeScript');
      return [operationId, sample?.source ?? `${operationId} shows none`];
    }),
  );
  expect(called.length).toBeGreaterThan(100);
  expect(compile(texts)).toEqual([]);
}, 120_000);

it('X03 R10 a sample with a wrong field does not compile', () => {
  const text = examples.refundOrder?.samples.at(-1)?.source.replace('amount:', 'amounts:') ?? '';
  expect(compile({ wrong: text })).toEqual([expect.stringMatching(/amounts/)]);
});

const AROUND: Readonly<Record<string, string>> = {
  sdk: [
    'declare const baseUrl: string, publicKey: string, secretKey: string;',
    'declare const process: { env: Record<string, string | undefined> };',
    'declare function deliver(order: { number: string }): Promise<void>;',
  ].join('\n'),
};

it.each(['sdk', 'embed'])('X03 the blocks of the page of %s compile', (name) => {
  const page = readFileSync(`${ROOT}/${name}/README.md`, 'utf8');
  const blocks = [...page.matchAll(/^```(tsx?)\n(.*?)^```/gms)].map(([, ending, text], n) => [
    `${n}.${ending}`,
    `${AROUND[name] ?? ''}\n${text}`,
  ]);
  expect(blocks.length).toBeGreaterThan(1);
  expect(compile(Object.fromEntries(blocks))).toEqual([]);
});

it('the packages bear the licence of the whole, and the page that is published with them', () => {
  const licence = readFileSync(`${ROOT}/LICENSE`, 'utf8');
  for (const name of ['sdk', 'cli', 'embed']) {
    expect(readFileSync(`${ROOT}/${name}/LICENSE`, 'utf8'), name).toBe(licence);
    // npm takes a page of this name along, whatever `files` says.
    expect(existsSync(`${ROOT}/${name}/README.md`), name).toBe(true);
  }
});

it('X11 the type of an event tells what its data holds, and an unknown one nothing', () => {
  const ask = (type: string, use: string) =>
    `import type { WebhookEvent } from '@counterfoil/sdk';
     export const tell = (event: WebhookEvent) => { if (event.type === '${type}') return ${use}; };`;
  const isTold = ask('payment_success', 'event.data.order.number.length');
  const ofSubscription = ask('subscription_updated', 'event.data.items.length');
  expect(compile({ isTold, ofSubscription })).toEqual([]);
  const later = ask('of_next_year', 'String(event.data.cause)');
  const wrong = ask('payment_success', 'event.data.order.nothing');
  expect(compile({ later, wrong })).toEqual([expect.stringMatching(/^wrong.*nothing/)]);
});
