import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { ERRORS } from '../../domain/errors.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const get = (url: string) => t.app.inject({ url });

describe('pages for whoever reads Markdown', () => {
  it('X08 each code has a living page with cause and remedy, and a twin in Markdown', async () => {
    for (const [code, { status, message }] of Object.entries(ERRORS)) {
      const [html, twin] = [await get(`/docs/errors/${code}`), await get(`/docs/errors/${code}.md`)];
      expect([code, html.statusCode, twin.statusCode]).toEqual([code, 200, 200]);
      expect(html.headers['content-type']).toMatch(/^text\/html/);
      expect(twin.headers['content-type']).toMatch(/^text\/markdown/);
      expect(html.body).toContain(`<h1><code>${code}</code></h1>`);
      expect(twin.body).toContain(`# ${code}\n\nStatus ${status}. ${message}`);
      expect(twin.body).toMatch(/\*\*Cause\.\*\* .{10}[\s\S]*\*\*Remedy\.\*\* .{10}/);
    }
    expect((await get('/docs/errors/nothing_such')).statusCode).toBe(404);
    expect((await get('/docs/errors/constructor')).statusCode).toBe(404);
  });

  it('X08 /docs/errors leads to the page of each code', async () => {
    const { body } = await get('/docs/errors');
    expect(body).toContain('<h1>Errors</h1>');
    const links = [...body.matchAll(/href="\/docs\/errors\/(\w+)"/g)].map(([, code]) => code);
    expect(links).toEqual(Object.keys(ERRORS));
    expect((await get('/docs/errors.md')).body).toContain('- [`sold_out`](/docs/errors/sold_out.md): ');
  });

  it('llms.txt names every guide, operation and code by an address that lives', async () => {
    const { body } = await get('/llms.txt');
    const links = [...body.matchAll(/^- \[.+\]\((.+?)\): /gm)].map(([, url = '']) => new URL(url));
    expect(links.length).toBeGreaterThan(400);
    const paths = new Set(links.map(({ pathname }) => pathname));
    for (const path of paths) expect([path, (await get(path)).statusCode]).toEqual([path, 200]);
    expect(paths).toContain('/docs/errors/sold_out.md');
    const reference = await get('/docs/reference.md');
    for (const { hash, pathname } of links)
      if (pathname === '/docs/reference.md') expect(reference.body).toContain(`## ${hash.slice(1)}\n`);
  });

  it('llms-full.txt holds all of it within 480 KB, each operation, and what all refuse alike once', async () => {
    const { body } = await get('/llms-full.txt');
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(480_000);
    expect(body).toContain('# sold_out');
    const reference = (await get('/docs/reference.md')).body;
    const [preface = '', ...short] = body.slice(body.indexOf('\n# Reference\n')).split(/\n(?=## )/);
    const [, ...whole] = reference.split(/\n(?=## )/);
    expect(short.map(nameOf)).toEqual(whole.map(nameOf));
    const alike = [...preface.matchAll(/^- Every .*$/gm)].map(([line]) => codesOf(line));
    expect(alike.map((codes) => codes.length > 0)).toEqual([true, true, true]);
    // Whoever adds up what is said of each and of all has what the operation's own page says.
    for (const [n, page] of whole.entries()) {
      const [all = [], writes = [], named = []] = alike;
      const added = [
        ...all,
        ...(/^`GET /m.test(page) ? [] : writes),
        ...(page.includes(' · SDK: ') ? named : []),
        ...codesOf(refusals(short[n] ?? '')),
      ];
      expect([nameOf(page), added.sort()]).toEqual([nameOf(page), codesOf(refusals(page)).sort()]);
    }
  });
});

const nameOf = (page: string) => /^## (\w+)/.exec(page)?.[1];
const refusals = (page: string) => /^Refuses with: .*$/m.exec(page)?.[0] ?? '';
const codesOf = (line: string) => [...line.matchAll(/`(\w+)` \(\d{3}\)/g)].map(([, code = '']) => code);
