/** Said each hour, for as long as it is so: files lie apart on several machines, or somewhere else than this process looks. */
import type { Service } from '../context.ts';
import { toFilesUrl } from '../domain/files-place.ts';
import { readFilesUrl } from '../resources/installation/files-place.queries.ts';
import { listHostsApart } from '../resources/installation/processes.queries.ts';
import type { Rounds } from './rounds.ts';

type Watching = Pick<Service, 'db' | 'log' | 'config'>;

const EVERY_MS = 3_600_000;
/** The other machine's processes have said that they live by then. */
const FIRST_AFTER_MS = 15_000;

export function watchFiles(service: Watching, rounds: Rounds): void {
  rounds.every(
    { everyMs: EVERY_MS, firstMs: FIRST_AFTER_MS },
    () => warnOfFiles(service),
    (error) => service.log.warn({ err: error }, 'where the files lie could not be asked for'),
  );
}

export async function warnOfFiles({ db, log, config }: Watching): Promise<void> {
  const [own, kept] = [toFilesUrl(config.files), await readFilesUrl(db)];
  if (own !== kept) {
    log.warn(
      { event: 'files_moved', filesUrl: kept },
      `the files of this store lie in ${kept ?? 'DATA_DIR'} now: start this process anew with FILES_URL as it is there`,
    );
    return;
  }
  const hosts = own === null ? await listHostsApart(db) : [];
  if (hosts.length > 1)
    log.warn(
      { event: 'files_apart', hosts },
      `${hosts.length} machines keep files each in a DATA_DIR of its own, and each misses what the other has: npm run storage -- move --to URL`,
    );
}
