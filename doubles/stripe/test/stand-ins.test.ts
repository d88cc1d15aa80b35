import { describe, expect, it } from 'vitest';
import { checkDoubles, findInstalled, findNames } from '../../../scripts/check-doubles.ts';

describe('P46 no stand-in in server, web, production install', () => {
  it('finds none in what is shipped', async () => {
    expect(await checkDoubles()).toEqual([]);
  });

  it('would find a name', () => {
    expect(findNames('server/src/a.ts', "import '../../doubles/stripe/src/start.ts';")).toHaveLength(1);
  });

  it('would find what is installed in production', () => {
    const text = JSON.stringify({ dependencies: { stripe: '1.0.0' } });
    expect(findInstalled('doubles/stripe/package.json', text)).toHaveLength(2);
  });
});
