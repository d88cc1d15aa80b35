/**
 * `node bench/spreads.mjs`: what an object costs that is copied and added to, by how it is written, in the Node that runs
 * this. The bundle writes the third
 * form for the first (`scripts/packages/cheap-spreads.ts`).
 */
const ROUNDS = 200_000;
const toOrder = (id) => ({ id, number: 'A-1', value: 2499, status: 'PAID', archivedAt: null });
const forms = {
  'spread, then members': (order) => ({ ...order, a: 1, b: 2, c: 3, d: 4, e: 5 }),
  'members, then spread': (order) => ({ a: 1, b: 2, c: 3, d: 4, e: 5, ...order }),
  'assigned to a new one': (order) => Object.assign({}, order, { a: 1, b: 2, c: 3, d: 4, e: 5 }),
};

console.log(`Node ${process.version}, µs of CPU for an object of five members and five more`);
for (const [name, form] of Object.entries(forms)) {
  const least = Math.min(...[1, 2, 3].map(() => measure(form)));
  console.log(`  ${name.padEnd(24)}${least.toFixed(3).padStart(8)}`);
}

function measure(form) {
  const before = process.cpuUsage();
  let sum = 0;
  for (let id = 0; id < ROUNDS; id += 1) sum += form(toOrder(id)).value;
  const { user, system } = process.cpuUsage(before);
  if (sum !== ROUNDS * 2499) throw new Error('the objects are not the same');
  return (user + system) / ROUNDS;
}
