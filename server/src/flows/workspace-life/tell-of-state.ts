/** Whoever wishes to hear of the workspace is told that it was suspended or archived, by a letter to their account. */
import type { Service } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { listNotified } from '../../resources/team/members.queries.ts';
import { queueAccountMail } from '../accounts/queue-account-mail.ts';

const LIFE_MS = 24 * 3_600_000;

export interface ChangedState {
  workspaceId: string;
  workspaceName: string;
  step: 'suspended' | 'archived';
  by: 'owner' | 'admin' | 'sweep';
  /** Real time. */
  nowMs: number;
}

/** Belongs into the transaction of the change. */
export async function tellOfState(
  { ids, config }: Pick<Service, 'ids' | 'config'>,
  tx: Tx,
  { workspaceId, workspaceName, step, by, nowMs }: ChangedState,
): Promise<void> {
  const url = `${config.publicUrl}/dashboard/${workspaceId}/live/settings/workspace`;
  for (const { emailNormal } of await listNotified(tx, workspaceId, 'workspace')) {
    const params = { workspaceName, step, by, url };
    await queueAccountMail({ ids, nowMs }, tx, {
      kind: 'workspace_state',
      to: emailNormal,
      params,
      lifeMs: LIFE_MS,
    });
  }
}
