/** `npm run double:verify -- --key sk_test_…`: tries each rule on Stripe itself, with a test key alone. */
import { parseArgs } from 'node:util';
import Stripe from 'stripe';
import { RULES } from '../rules/all.ts';

const { values } = parseArgs({ options: { key: { type: 'string', default: '' } } });
if (!/^(sk|rk)_test_/.test(values.key)) {
  console.error('Usage: npm run double:verify -- --key sk_test_…');
  process.exit(1);
}
const stripe = new Stripe(values.key, { maxNetworkRetries: 2 });
let failed = 0;
for (const { says, page, ...rule } of RULES) {
  try {
    await rule.try(stripe);
    console.log(`ok     ${says}`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED ${says} (${page}): ${(error as Error).message}`);
  }
}
console.log(`${RULES.length - failed} of ${RULES.length} rules hold`);
process.exitCode = failed === 0 ? 0 : 1;
