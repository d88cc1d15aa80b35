import { describe, expect, it } from 'vitest';
import { createChargesUnderWay } from './charges-under-way.ts';

const SCOPE = { workspaceId: 'one', testMode: true };
const LONG_MS = 10_000;

describe('who is told of a charge', () => {
  it('hears from the call that asks for it whether it came to be decided', async () => {
    const underWay = createChargesUnderWay();
    const end = underWay.begin(SCOPE, 'pi_1');
    const two = [underWay.wait(SCOPE, 'pi_1', LONG_MS), underWay.wait(SCOPE, 'pi_1', LONG_MS)];
    end(true);
    expect(await Promise.all(two)).toEqual([true, true]);
    const again = underWay.begin(SCOPE, 'pi_1');
    const third = underWay.wait(SCOPE, 'pi_1', LONG_MS);
    again(false);
    expect(await third).toBe(false);
  });

  it('waits for none that is not under way here, is over, or another store’s', async () => {
    const underWay = createChargesUnderWay();
    const end = underWay.begin(SCOPE, 'pi_1');
    expect(await underWay.wait({ ...SCOPE, testMode: false }, 'pi_1', LONG_MS)).toBe(false);
    expect(await underWay.wait({ ...SCOPE, workspaceId: 'two' }, 'pi_1', LONG_MS)).toBe(false);
    expect(await underWay.wait(SCOPE, 'pi_2', LONG_MS)).toBe(false);
    end(true);
    expect(await underWay.wait(SCOPE, 'pi_1', LONG_MS)).toBe(false);
  });

  it('waits no longer than it was told', async () => {
    const underWay = createChargesUnderWay();
    underWay.begin(SCOPE, 'pi_1');
    expect(await underWay.wait(SCOPE, 'pi_1', 1)).toBe(false);
  });

  it('is answered by the last of two calls with one name', async () => {
    const underWay = createChargesUnderWay();
    const first = underWay.begin(SCOPE, 'pi_1');
    const second = underWay.begin(SCOPE, 'pi_1');
    const told = underWay.wait(SCOPE, 'pi_1', LONG_MS);
    first(false);
    second(true);
    expect(await told).toBe(true);
  });
});
