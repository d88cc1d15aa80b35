/** What `counterfoil spread …` prints. */
import type { SpreadCheck } from '../flows/spread/check-spread.ts';
import { type SpreadPlan, toName } from '../flows/spread/plan-spread.ts';
import type { SpreadStatus } from '../flows/spread/spread-status.ts';

export function printPlan({ tables, nodes, bytes, notes }: SpreadPlan): void {
  const data = nodes.filter(({ hasShards }) => hasShards);
  for (const { name, place, rows, bytes: size, isLaid } of tables)
    console.log(
      `${place.padEnd(12)} ${name.padEnd(26)} ${rows} rows, ${toSize(size)}${isLaid ? ', done' : ''}`,
    );
  console.log(
    `${tables.length} tables of ${toSize(bytes)}, over ${data.map(toName).join(', ') || 'no node'}`,
  );
  for (const note of notes) console.log(`Changes: ${note}`);
}

export function printStatus({ nodes, groups, largest, biggest, skew }: SpreadStatus): void {
  for (const { isActive, isCoordinator, shards, bytes, ...node } of nodes) {
    const role = isCoordinator ? 'coordinator' : 'data node';
    console.log(
      `${toName(node)}  ${role}${isActive ? '' : ', not active'}: ${shards} shards, ${toSize(bytes)}`,
    );
  }
  console.log(`Skew: ${skew === null ? 'none yet' : `the fullest node has ${skew.toFixed(2)} of the mean`}`);
  console.log(`${groups} pieces; the largest:`);
  for (const { id, bytes, ...node } of largest) console.log(`  ${id}  ${toName(node)}  ${toSize(bytes)}`);
  console.log('The biggest workspaces:');
  for (const { workspaceId, name, events, orders } of biggest)
    console.log(`  ${workspaceId}  ${events} events, ${orders} orders  ${name}`);
}

/** Answers whether all is right. */
export function printChecks(checks: readonly SpreadCheck[]): boolean {
  for (const { name, problems } of checks) {
    console.log(`${problems.length === 0 ? 'right' : 'WRONG'}  ${name}`);
    for (const problem of problems) console.log(`       ${problem}`);
  }
  return checks.every(({ problems }) => problems.length === 0);
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function toSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
