/** The documentation as the service shows it: every page, for every eye and size, and by its own files alone. */
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from './support/axe.ts';
import { type Buyer, DESKTOP, PHONE } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Minutes, even on two quiet cores. */
const LONG = { timeout: 600_000 };

let shop: Shop;
let paths: string[];
beforeAll(async () => {
  shop = await openShop();
  const { body } = await shop.app.app.inject({ url: '/llms.txt' });
  const twins = [...body.matchAll(/\]\((\S+\.md)\): ./g)].map(([, url = '']) => new URL(url).pathname);
  // Pages of codes are all of one form; each is asked for by another test.
  const codes = twins.filter((path) => path.startsWith('/docs/errors/'));
  const others = twins.filter((path) => !codes.includes(path) && path !== '/docs/reference.md');
  paths = [...others, ...codes.slice(0, 1)].map((path) => path.replace(/\.md$/, ''));
});
afterAll(() => shop?.close());

const get = (url: string) => shop.app.app.inject({ url });

describe('X39 guides', () => {
  it('are each a page with a twin in Markdown, in llms.txt, and every link within them lives', async () => {
    const files = await readdir(new URL('../../../docs/guides', import.meta.url));
    const guides = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));
    expect(paths).toEqual(expect.arrayContaining(guides.map((name) => `/docs/guides/${name}`)));
    expect(paths).toEqual(expect.arrayContaining(['/docs/guides', '/docs/configuration']));
    const links = new Set<string>();
    for (const path of paths) {
      const [page, twin] = [await get(path), await get(`${path}.md`)];
      expect([path, page.statusCode, twin.statusCode]).toEqual([path, 200, 200]);
      expect(twin.headers['content-type']).toMatch(/^text\/markdown/);
      expect(page.body).toContain(`href="${path}.md"`);
      expect([path, page.body.match(/<script>|<style|style="|\son\w+="/g)]).toEqual([path, null]);
      for (const [, href = ''] of page.body.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) links.add(href);
      for (const [, id] of page.body.matchAll(/href="#([^"]+)"/g)) expect(page.body).toContain(`id="${id}"`);
    }
    for (const link of links) expect([link, (await get(link)).statusCode]).toEqual([link, 200]);
  });

  it.each([DESKTOP, PHONE])(
    'ask nobody else, break no policy, and axe finds nothing, light and dark, at $width',
    LONG,
    async (viewport) => {
      const buyer = await shop.openBuyer({ viewport });
      const page = await buyer.newTab();
      const findings: string[] = [];
      for (const path of paths) {
        await page.goto(shop.origin + path);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const looked = colorScheme === 'light' ? { tags: RULES } : { rules: ['color-contrast'] };
          const violations = await findViolations(page, looked);
          findings.push(...violations.map(({ id, html }) => `${path} ${colorScheme} ${id} ${html[0]}`));
        }
        const [width, headings] = await page.evaluate<[number, number]>(
          `[document.documentElement.scrollWidth, document.querySelectorAll('h1').length]`,
        );
        if (width > viewport.width) findings.push(`${path} is ${width} wide`);
        if (headings !== 1) findings.push(`${path} has ${headings} headings of the first level`);
      }
      expect(findings).toEqual([]);
      expect(buyer.problems).toEqual([]);
    },
  );

  it('weigh at most 60 KB at their first load', async () => {
    for (const path of paths) {
      const { body } = await get(path);
      const loaded = [...body.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, url = '']) => url);
      expect(loaded).toHaveLength(2);
      const texts = [body, ...(await Promise.all(loaded.map(async (url) => (await get(url)).body)))];
      const bytes = texts.reduce((sum, text) => sum + gzipSync(text).byteLength, 0);
      expect([path, bytes <= 60_000]).toEqual([path, true]);
    }
  });

  it('are searched by words, keep light or dark, and have a menu on a phone', async () => {
    const buyer: Buyer = await shop.openBuyer({ viewport: PHONE });
    const page: Page = await buyer.newTab();
    await page.goto(`${shop.origin}/docs/guides/quick-start`);
    await page.keyboard.press('/');
    await page.keyboard.type('words that nobody wrote');
    await page.getByText('Nothing found.').waitFor();
    await page.getByRole('searchbox').fill('refund dispute');
    const first = page.locator('.found a').first();
    await first.waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate("document.activeElement === document.querySelector('.found a')")).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/refunds-and-disputes**');
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await page.getByText('Menu').click();
    await page.getByRole('link', { name: 'Discounts', exact: true }).first().click();
    await page.waitForURL('**/docs/guides/discounts');
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
    expect(buyer.problems).toEqual([]);
  });
});
