import { Refusal } from '../domain/errors.ts';
import { toContentType, toFileName } from '../domain/file-name.ts';
import type { ReceivedFile } from '../flows/catalogue/keep-file.ts';
import type { Intake } from '../http/route.ts';
import { removeBytes, storeBytes, toPath } from '../providers/files/disk.ts';
import { findFile } from '../resources/files/files.queries.ts';
import { isPicture } from '../resources/files/files.schema.ts';
import { computeBlurHash } from './blur-hash.ts';

/** The request's id becomes the file's, so that bytes and row find each other whichever is there first. */
export const fileIntake: Intake<ReceivedFile> = {
  async receive({ config }, { scope, requestId, headers, stream }) {
    const named = headers['x-file-name'];
    const fileName = toFileName(Array.isArray(named) ? named[0] : named);
    const contentType = toContentType(headers['content-type']);
    if (Number(headers['content-length'] ?? 0) > config.uploadMaxBytes) throw new Refusal('body_too_large');
    const target = toPath(config.dataDir, { ...scope, id: requestId });
    const stored = await storeBytes(target, stream, config.uploadMaxBytes);
    const blurHash = isPicture(contentType) ? await computeBlurHash(target) : null;
    return { fileName, contentType, ...stored, blurHash };
  },

  async discard({ db, config }, { scope, requestId }) {
    // A transaction whose outcome was never told may have been committed: then the row needs its bytes.
    if (await findFile(db, scope, requestId)) return;
    await removeBytes(toPath(config.dataDir, { ...scope, id: requestId }));
  },
};
