/** Whether the store is what it was when it last ran: asked at each start, before anything is done for it. */
import type { Config } from '../config.ts';
import type { Service } from '../context.ts';
import type { HeldReason } from '../domain/held.ts';
import { holdIfCopied } from '../flows/quarantine/hold-if-copied.ts';
import { readBeat } from './beat-file.ts';
import { readPresent } from './present.ts';

/** Why it is held; null = it is not. `place`: of the embedded store; null = a PostgreSQL of the operator's own. */
export async function compareStore(
  { db, realNowMs }: Pick<Service, 'db' | 'realNowMs'>,
  config: Pick<Config, 'dataDir' | 'publicUrlByHand'>,
  place: { cluster: string } | null,
): Promise<HeldReason | null> {
  const present = await readPresent(config, place);
  const remembered = place === null ? await readBeat(config.dataDir) : null;
  return holdIfCopied(db, { present, remembered, nowMs: realNowMs() });
}
