/** Settings of the installation as a whole, which its admins change while it runs. */
import { invalidField } from '../errors.ts';
import { SWEEP_DAYS, type SweepDays } from './sweep.ts';

export interface InstallationSettings {
  /** Whether what nobody uses is swept at all. */
  sweep: boolean;
  sweepDays: SweepDays;
}

export const INSTALLATION_DEFAULTS: InstallationSettings = { sweep: true, sweepDays: SWEEP_DAYS };

/** The shortest time between two steps: its first warning goes out 14 days before. */
const STEP_DAYS_MIN = 15;
const DAYS_MAX = 3_650;

export interface InstallationChanges {
  sweep?: boolean;
  sweepDays?: Partial<SweepDays>;
}

/** Missing fields stay as they are. Throws invalid_input for steps that come too soon one after the other. */
export function changeInstallation(
  before: InstallationSettings,
  { sweep, sweepDays }: InstallationChanges,
): InstallationSettings {
  const days = { ...before.sweepDays, ...sweepDays };
  const { notice, suspend, archive, purge } = days;
  if (suspend < notice || suspend < STEP_DAYS_MIN)
    throw invalidField('sweepDays.suspend', `must be ${STEP_DAYS_MIN} or more, and no less than notice`);
  if (archive < suspend + STEP_DAYS_MIN)
    throw invalidField('sweepDays.archive', `must be ${STEP_DAYS_MIN} days after suspend or later`);
  if (purge < archive + STEP_DAYS_MIN || purge > DAYS_MAX)
    throw invalidField(
      'sweepDays.purge',
      `must be ${STEP_DAYS_MIN} days after archive or later, at most ${DAYS_MAX}`,
    );
  return { sweep: sweep ?? before.sweep, sweepDays: days };
}
