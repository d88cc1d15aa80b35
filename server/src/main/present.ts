/** What this installation is now, to be compared with what it was when it last ran. */
import type { Config } from '../config.ts';
import { readDataDirId } from '../db/embedded/data-dir-id.ts';
import type { Present } from '../flows/quarantine/hold-if-copied.ts';

/** `place`: of the embedded store; null = a PostgreSQL of the operator's own. */
export async function readPresent(
  { publicUrlByHand }: Pick<Config, 'publicUrlByHand'>,
  place: { cluster: string } | null,
): Promise<Present> {
  return { dataDirId: place && (await readDataDirId(place.cluster)), publicUrl: publicUrlByHand };
}
