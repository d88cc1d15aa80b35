/** How much a query reads, by the plan that it was carried out by. */
export interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  /** Processes of PostgreSQL that were started for it. */
  'Workers Launched'?: number;
  Plans?: Plan[];
}

/** Rows that the scans of the plan read. */
export function countRead(plan: Plan): number {
  const isScan = plan['Node Type'].includes('Scan') && !plan['Node Type'].startsWith('Subquery');
  const own = isScan
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + countRead(child), own);
}

/** Parallel workers that were started: a few ms each time, whatever they then had to do. */
export function countWorkers(plan: Plan): number {
  return (plan.Plans ?? []).reduce((sum, child) => sum + countWorkers(child), plan['Workers Launched'] ?? 0);
}
