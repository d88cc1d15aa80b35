/**
 * Random lives of subscriptions against a small model of what should have come of them.
 * `SIMULATION_RUNS=200 npm run test:long -- simulation` runs that many more, each with a seed of its own, which is
 * printed when it fails; `SIMULATION_SEED=n` runs that one.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { compare, type Lives } from './lives.ts';
import { REGRESSIONS } from './regressions.ts';
import { STEPS, subscribe } from './steps.ts';
import { World } from './world.ts';

const STEPS_MAX = 60;
const MINUTE_MS = 60_000;
const SETTLED_MS = 40 * MINUTE_MS;
const { SIMULATION_RUNS = '0', SIMULATION_SEED } = process.env;

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await createTestApp();
  world = new World(app);
});
afterAll(async () => {
  world.close();
  await app.close();
});

const commands = fc.commands(STEPS, { maxCommands: STEPS_MAX, size: 'max' });
const setting = fc.record({
  first: fc.array(subscribe, { minLength: 1, maxLength: 2 }),
  startDay: fc.nat(364),
  isTaxed: fc.boolean(),
});

async function live(seed: number): Promise<void> {
  const property = fc.asyncProperty(setting, commands, async (begun, steps) => {
    await world.begin(begun);
    const lives: Lives = { lives: [], isTaxed: begun.isTaxed, untilMs: await world.now() };
    for (const start of begun.first) await start.run(lives, world);
    await fc.asyncModelRun(() => ({ model: lives, real: world }), steps);
    lives.untilMs = (await world.now()) + SETTLED_MS;
    await world.advanceTo(lives.untilMs);
    await compare(world, lives);
    await expectInvariants(app);
  });
  await fc.assert(property, {
    seed,
    numRuns: 1,
    unbiased: true,
    endOnFailure: process.env.SIMULATION_SHRINK === undefined,
  });
}

const random = Array.from({ length: Number(SIMULATION_RUNS) }, () => Math.floor(Math.random() * 2 ** 31));
const seeds = SIMULATION_SEED ? [Number(SIMULATION_SEED)] : [...REGRESSIONS, ...random];

it.each(seeds)('subscriptions live as they should (seed %i)', live, 180_000);
