/** Axe on a page as it stands, with all its frames. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

export interface Violation {
  /** The rule's name. */
  id: string;
  impact: 'minor' | 'moderate' | 'serious' | 'critical';
  /** What each element that breaks it is written as. */
  html: string[];
}

export interface AxeOptions {
  /** The rules with one of these tags; every rule that is not an experiment when both are missing. */
  tags?: readonly string[];
  /** These rules alone. */
  rules?: readonly string[];
  /** What is left out, as a selector. */
  exclude?: string;
}

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * All that axe finds. Half a megabyte of rules is read once by a document, and only what is broken is answered: a list
 * of all that is right costs more than finding it.
 */
export async function findViolations(page: Page, options: AxeOptions = {}): Promise<Violation[]> {
  await Promise.all(page.frames().map(prepare));
  const { tags, rules, exclude } = options;
  const only = rules ? { type: 'rule', values: rules } : tags ? { type: 'tag', values: tags } : undefined;
  const context = exclude === undefined ? {} : { exclude: [[exclude]] };
  const run = { resultTypes: ['violations'], preload: false, ...(only ? { runOnly: only } : {}) };
  return page.evaluate<Violation[]>(`(async () => {
    const { violations } = await axe.run({ include: [['html']], ...${JSON.stringify(context)} }, ${JSON.stringify(run)});
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map((node) => node.html) }));
  })()`);
}

/** What a reader of one kind or another is kept from; the rest is advice. */
export function keepGrave(violations: readonly Violation[]): Violation[] {
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

async function prepare(frame: Frame): Promise<void> {
  if (await frame.evaluate(`typeof axe !== 'undefined'`)) return;
  await frame.evaluate(await source);
}
