/** What `counterfoil spread …` prints. */
import type { SpreadCheck } from '../../flows/spread/check-spread.ts';
import { type SpreadPlan, toName } from '../../flows/spread/plan-spread.ts';
import type { SpreadStatus } from '../../flows/spread/spread-status.ts';
import { answer } from './manners.ts';

export function printPlan(plan: SpreadPlan): void {
  const { tables, nodes, bytes, notes } = plan;
  const data = nodes.filter(({ hasShards }) => hasShards);
  answer(
    plan,
    ...tables.map(
      ({ name, place, rows, bytes: size, isLaid }) =>
        `${place.padEnd(12)} ${name.padEnd(26)} ${rows} rows, ${toSize(size)}${isLaid ? ', done' : ''}`,
    ),
    `${tables.length} tables of ${toSize(bytes)}, over ${data.map(toName).join(', ') || 'no node'}`,
    ...notes.map((note) => `Changes: ${note}`),
  );
}

export function printStatus(status: SpreadStatus): void {
  const { nodes, groups, largest, biggest, skew } = status;
  answer(
    status,
    ...nodes.map(({ isActive, isCoordinator, shards, bytes, ...node }) => {
      const role = isCoordinator ? 'coordinator' : 'data node';
      return `${toName(node)}  ${role}${isActive ? '' : ', not active'}: ${shards} shards, ${toSize(bytes)}`;
    }),
    `Skew: ${skew === null ? 'none yet' : `the fullest node has ${skew.toFixed(2)} of the mean`}`,
    `${groups} pieces; the largest:`,
    ...largest.map(({ id, bytes, ...node }) => `  ${id}  ${toName(node)}  ${toSize(bytes)}`),
    'The biggest workspaces:',
    ...biggest.map(
      ({ workspaceId, name, events, orders }) =>
        `  ${workspaceId}  ${events} events, ${orders} orders  ${name}`,
    ),
  );
}

/** Answers whether all is right. */
export function printChecks(checks: readonly SpreadCheck[]): boolean {
  for (const { name, problems } of checks)
    answer(
      { name, problems },
      `${problems.length === 0 ? 'right' : 'WRONG'}  ${name}`,
      ...problems.map((problem) => `       ${problem}`),
    );
  return checks.every(({ problems }) => problems.length === 0);
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

export function toSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
