import { Refusal } from '../domain/errors.ts';
import { toContentType, toFileName } from '../domain/file-name.ts';
import { toFilePurpose } from '../domain/file-purpose.ts';
import type { ReceivedFile } from '../flows/catalogue/keep-file.ts';
import type { Intake } from '../http/route.ts';
import { removeBytes, storeBytes, toPath } from '../providers/files/disk.ts';
import { findFile } from '../resources/files/files.queries.ts';
import { readPicture } from './read-picture.ts';

/** The request's id becomes the file's, so that bytes and row find each other whichever is there first. */
export const fileIntake: Intake<ReceivedFile> = {
  async receive({ config }, { scope, requestId, headers, stream }) {
    const fileName = toFileName(toText(headers['x-file-name']));
    const contentType = toContentType(headers['content-type']);
    const purpose = toFilePurpose(toText(headers['x-file-purpose']), contentType);
    if (Number(headers['content-length'] ?? 0) > config.uploadMaxBytes) throw new Refusal('body_too_large');
    const target = toPath(config.dataDir, { ...scope, id: requestId });
    const stored = await storeBytes(target, stream, config.uploadMaxBytes);
    const received = { fileName, contentType, purpose, ...stored };
    // Nothing came: the handler says so.
    if (purpose === 'download' || stored.sizeBytes === 0) return { ...received, blurHash: null };
    try {
      return { ...received, blurHash: await readPicture(target, contentType) };
    } catch (error) {
      await removeBytes(target);
      throw error;
    }
  },

  async discard({ db, config }, { scope, requestId }) {
    // A transaction whose outcome was never told may have been committed: then the row needs its bytes.
    if (await findFile(db, scope, requestId)) return;
    await removeBytes(toPath(config.dataDir, { ...scope, id: requestId }));
  },
};

/** Of a header that came twice the first. */
function toText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
