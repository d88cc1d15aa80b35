import { readFileSync } from 'node:fs';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULES, toMarkdown } from '../rules/all.ts';
import type { Double } from '../src/start.ts';
import { openAccount, start, toClient } from './support/stand-in.ts';

let double: Double;
let stripe: Stripe;

beforeAll(async () => {
  double = await start();
  stripe = toClient(double, (await openAccount(double)).secretKey);
});
afterAll(() => double.close());

describe('P46 the rules of Stripe', () => {
  it('are 120 or more, each with a page of its documentation', () => {
    expect(RULES.length).toBeGreaterThanOrEqual(120);
    expect(new Set(RULES.map(({ says }) => says)).size).toBe(RULES.length);
    expect(RULES.filter(({ page }) => !page.startsWith('https://docs.stripe.com/'))).toEqual([]);
  });

  it('are the ones of RULES.md', () => {
    expect(readFileSync(new URL('../RULES.md', import.meta.url), 'utf8')).toBe(toMarkdown());
  });

  it.each(RULES.map((rule): [string, (typeof RULES)[number]] => [rule.says, rule]))('%s', async (_, rule) => {
    await rule.try(stripe);
  });
});
