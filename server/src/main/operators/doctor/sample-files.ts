/** Whether files are where the store says that they lie: of a sample, since of the others the same is likely true. */
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Db } from '../../../db/database.ts';
import { toFilesUrl } from '../../../domain/files-place.ts';
import { toDocumentName, toUploadName } from '../../../providers/files/file-store.ts';
import { readFilesUrl, type StoredName } from '../../../resources/installation/files-place.queries.ts';
import { openFiles } from '../../open-files.ts';

/** Half of them uploads, half of them PDFs. */
const SAMPLE = 100;
/** PDFs that were never drawn are passed over, but not without end. */
const LOOKED_AT = 20_000;
const AT_ONCE = 10;

export interface FileFacts {
  /** Where the store says that its files lie, and where this command looked; null = DATA_DIR. */
  kept: string | null;
  own: string | null;
  missing: number;
  /** Why they could not be asked for; null = they could. */
  failure: string | null;
}

export async function sampleFiles(db: Db, config: Pick<Config, 'files' | 'dataDir'>): Promise<FileFacts> {
  const facts = { kept: await readFilesUrl(db), own: toFilesUrl(config.files) };
  const names = await listSample(db);
  try {
    const files = await openFiles(config);
    let missing = 0;
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const found = await Promise.all(names.slice(at, at + AT_ONCE).map((name) => files.has(name)));
      missing += found.filter((isThere) => !isThere).length;
    }
    return { ...facts, missing, failure: null };
  } catch (error) {
    const internal = error instanceof Error && 'internal' in error ? error.internal : undefined;
    return { ...facts, missing: 0, failure: String(internal ?? error) };
  }
}

async function listSample(db: Db): Promise<string[]> {
  const { rows: uploads } = await sql<StoredName>`
    select workspace_id, test_mode, id, sha256 from files order by id desc limit ${SAMPLE / 2}::int`.execute(
    db,
  );
  const { rows: documents } = await sql<StoredName>`
    select workspace_id, test_mode, id, pdf_sha256 as sha256
    from (select * from invoices limit ${LOOKED_AT}::int) i
    where pdf_sha256 is not null limit ${SAMPLE / 2}::int`.execute(db);
  return [
    ...uploads.map(toUploadName),
    ...documents.flatMap(({ sha256, ...place }) => (sha256 === null ? [] : [toDocumentName(place, sha256)])),
  ];
}
